/* The tree viewer: sentences to search, gold and systems to draw. */
(() => {
  "use strict";
  const home = document.getElementById("tree-viewer");
  if (!home) return;
  const banks = JSON.parse(document.getElementById("tree-data").textContent).banks;
  if (!banks.length) return;
  const SHOWN = 60, DRAWN_AT_FIRST = 3;
  const make = report.make;
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

  /* ------------------------------------------------------------------ sentences */

  const numbers = (text) => (text ? text.split(" ").map(Number) : null);
  function decoded(bank, raw) {
    const names = (text) => numbers(text)?.map((k) => bank.names[k]) ?? null;
    const [name, rightToLeft, forms, tags, heads, relations, ...systems] = raw;
    const words = forms.split("\n");
    return {
      name, rightToLeft: !!rightToLeft, words, tags: names(tags) ?? words.map(() => ""),
      heads: numbers(heads), relations: names(relations) ?? words.map(() => ""),
      systems: systems.map(([h, r, t]) => ({
        heads: numbers(h), relations: names(r) ?? words.map(() => ""), tags: names(t) })),
    };
  }

  /* What gold says of every word's head: as metrics/attachment.py has it. */
  function verdicts(gold, heads) {
    const inside = (head) => head >= 1 && head <= gold.length;
    const isOnCycle = (word) => {
      let above = heads[word - 1];
      for (let steps = 0; steps < heads.length && inside(above) && above !== word; steps++)
        above = heads[above - 1];
      return above === word;
    };
    return heads.map((head, i) => {
      const own = gold[i], word = i + 1;
      if (own < 0 || own > gold.length) return "plain";
      if (isOnCycle(word)) return "wrong";
      if (head === own) return "right";
      if (inside(head) && gold[head - 1] === word) return "flipped";
      if (inside(own) && gold[own - 1] >= 0 && head === gold[own - 1]) return "flipped";
      return "wrong";
    });
  }
  const withoutSubtype = (relation) => relation.split(":")[0];

  function arcsOf(heads, relations) {
    const arcs = [];
    heads.forEach((head, i) => {
      if (head >= 0 && head <= heads.length)
        arcs.push({ head, dependent: i + 1, label: relations[i], kind: "plain" });
    });
    return arcs;
  }

  function judgedArcs(sentence, system) {
    const said = verdicts(sentence.heads, system.heads);
    const isLabelled = [sentence, system].every((one) => one.relations.some(Boolean));
    const arcs = arcsOf(system.heads, system.relations);
    for (const arc of arcs) {
      const i = arc.dependent - 1;
      arc.kind = said[i];
      if (said[i] === "right" && isLabelled &&
          withoutSubtype(sentence.relations[i]) !== withoutSubtype(system.relations[i]))
        arc.kind += " other-relation";
    }
    return arcs;
  }

  function rightOf(sentence, system) {
    const said = verdicts(sentence.heads, system.heads);
    return [said.filter((one) => one === "right").length, said.filter((one) => one !== "plain").length];
  }

  /* ------------------------------------------------------------------ drawings */

  const canvas = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  function measure(text, size) {
    canvas.font = `${size}px ${family}`;
    return canvas.measureText(text).width;
  }
  const n = (value) => String(Math.round(value * 10) / 10);
  const TIP = 7, HALF = 3.2, ROUND = 14, AIR = 4, EDGE = 10;

  function line(arc, base, direction) {
    const x = arc.dependentX, foot = base + direction * TIP * 0.8, far = base + direction * arc.height;
    let path = `M${n(x)} ${n(foot)}V${n(far)}`;
    const length = Math.abs(arc.headX - x);
    if (length > 0) {
      const radius = Math.min(ROUND, length / 2, arc.height * 0.6), towards = arc.headX > x ? 1 : -1;
      const turn = n(far - direction * radius);
      path = `M${n(x)} ${n(foot)}V${turn}Q${n(x)} ${n(far)} ${n(x + towards * radius)} ${n(far)}` +
        `H${n(arc.headX - towards * radius)}Q${n(arc.headX)} ${n(far)} ${n(arc.headX)} ${turn}V${n(base)}`;
    }
    const tip = `M${n(x)} ${n(base)}L${n(x - HALF)} ${n(base + direction * TIP)}H${n(x + HALF)}Z`;
    return `<path class="line" d="${path}"/><path class="tip" d="${tip}"/>`;
  }

  function side(arcs, base, direction) {
    const lines = arcs.map((arc) => `<g class="${arc.arc.kind}">${line(arc, base, direction)}</g>`);
    const labels = arcs.filter((arc) => arc.label).map((arc) => {
      const y = base + direction * (arc.height + 2 + 10.5 * (direction < 0 ? 0.28 : 0.85));
      return `<g class="${arc.arc.kind}"><text class="label" x="${n(arc.labelX)}" y="${n(y)}">` +
        `${escaped(arc.label)}</text></g>`;
    });
    return lines.join("") + labels.join("");
  }

  function described(sentence, arcs, name) {
    const said = arcs.map((arc) => {
      const head = arc.head ? sentence.words[arc.head - 1] : "root";
      return `${sentence.words[arc.dependent - 1]} on ${head}${arc.label ? ` (${arc.label})` : ""} ` +
        (arc.kind === "plain" ? "" : arc.kind.replace(" other-relation", ", other relation"));
    });
    return `${name}: ${said.join("; ")}`;
  }

  function drawn(sentence, tags, trees, name) {
    const words = sentence.words.map((form, i) => ({ form, tag: tags[i] ?? "" }));
    const laid = treeLayout(words, trees, sentence.rightToLeft, measure);
    const hasTags = words.some((word) => word.tag);
    const top = EDGE + laid.sides[0].height + AIR, baseline = top + 14.25;
    let bottom = baseline + 4.5 + (hasTags ? 14.2 : 0);
    const direction = sentence.rightToLeft ? ' direction="rtl"' : "";
    const parts = [side(laid.sides[0].arcs, top - AIR, -1)];
    for (const word of laid.words) {
      parts.push(`<text class="form" x="${n(word.x)}" y="${n(baseline)}"${direction}>${escaped(word.form)}</text>`);
      if (word.tag)
        parts.push(`<text class="tag" x="${n(word.x)}" y="${n(baseline + 14.2)}">${escaped(word.tag)}</text>`);
    }
    if (laid.sides[1]) {
      parts.push(side(laid.sides[1].arcs, bottom + AIR, 1));
      bottom += AIR + laid.sides[1].height;
    }
    const size = `width="${n(laid.width)}" height="${n(bottom + EDGE)}" viewBox="0 0 ${n(laid.width)} ${n(bottom + EDGE)}"`;
    const label = trees.map((arcs, k) => described(sentence, arcs, k ? name : "gold")).join(". ");
    return `<svg class="tg-tree" role="img" ${size} aria-label="${escaped(label)}" direction="ltr">${parts.join("")}</svg>`;
  }

  /* ------------------------------------------------------------------ what is there */

  let bank, sentences, chosen, found, shown;
  const loading = new Map();

  function load(of, k) {
    const key = `${banks.indexOf(of)} ${k}`;
    if (!loading.has(key))
      loading.set(key, new Promise((resolve) => {
        const script = make("script", { src: of.files[k][0] });
        script.onload = () => resolve(true);
        script.onerror = () => resolve(false);
        document.head.append(script);
      }));
    return loading.get(key);
  }
  window.treegaugeTrees = (number, k, raw) => { (banks[number].loaded ||= {})[k] = raw; };

  /* All sentences that are here, in the order of the treebank. */
  function gather() {
    bank.all ||= bank.here.map((raw) => decoded(bank, raw));
    let k = bank.gathered || 0;
    while (bank.loaded && bank.loaded[k]) {
      for (const raw of bank.loaded[k]) bank.all.push(decoded(bank, raw));
      bank.loaded[k++] = [];
    }
    bank.gathered = k;
    sentences = bank.all;
  }

  async function loadAll() {
    const of = bank;
    for (let k = of.gathered || 0; k < of.files.length; k++) {
      say(`loading sentences: ${sentences.length.toLocaleString("en")} of ${of.total.toLocaleString("en")}`);
      if (!(await load(of, k))) {
        if (of === bank)
          say(`${sentences.length} of ${of.total} sentences; the others are in the folder ` +
            `${of.files[k][0].split("/")[0]}, which is not beside this file`);
        of.isIncomplete = true;
        return;
      }
      if (of !== bank) return;
      gather();
    }
  }

  /* ------------------------------------------------------------------ the page */

  const bankSelect = make("select"), orderSelect = make("select");
  const search = make("input", { type: "search", placeholder: "word, relation or sentence id" });
  const status = make("p", { className: "count", role: "status" });
  const list = make("ol", { ariaLabel: "Sentences" });
  const more = make("button", { className: "button", type: "button", textContent: "Show more" });
  const wholeButton = make("button", { className: "button", type: "button", textContent: "Load all" });
  const systemsBox = make("fieldset", { className: "chosen" });
  const heading = make("h3", { dir: "auto" });
  const stage = make("div", { ariaLive: "off" });
  const say = (text) => { status.textContent = text; };
  for (const one of banks) bankSelect.append(make("option", { textContent: one.name }));
  const labelled = (text, field) => {
    const label = make("label", { textContent: text });
    label.append(field);
    return label;
  };
  const controls = make("div", { className: "controls" });
  if (banks.length > 1) controls.append(labelled("Treebank", bankSelect));
  controls.append(labelled("Search", search), labelled("Order", orderSelect), wholeButton);
  const key = make("ul", { className: "key" });
  for (const [kind, text] of [["plain", "gold, above"], ["right", "right head"],
    ["flipped", "flipped: accepted by NED"], ["wrong", "wrong head"]])
    key.append(make("li", { innerHTML: `<svg class="tg-tree" viewBox="0 0 34 8" aria-hidden="true">` +
      `<g class="${kind}"><path class="line" d="M1 4H33"/></g></svg>${text}` }));
  const columns = make("div", { className: "viewer" });
  const left = make("div"), right = make("div");
  left.append(list, more);
  right.append(heading, systemsBox, stage);
  columns.append(left, right);
  home.append(controls, status, key, columns);

  const matches = (sentence, query) => sentence.name.toLowerCase().includes(query) ||
    sentence.words.join(" ").toLowerCase().includes(query) ||
    sentence.relations.some((relation) => relation === query) ||
    sentence.tags.some((tag) => tag.toLowerCase() === query);

  function mistakes(sentence, k) {
    const [correct, all] = rightOf(sentence, sentence.systems[k]);
    return all - correct;
  }

  function order(found) {
    const by = orderSelect.value;
    if (by === "") return found;
    const drawnSystems = bank.systems.map((_, k) => k).filter((k) => found[0]?.systems[k].heads);
    const score = by === "spread"
      ? (s) => { const m = drawnSystems.map((k) => mistakes(s, k)); return Math.max(...m) - Math.min(...m); }
      : (s) => mistakes(s, +by);
    return found.map((s) => [score(s), s]).sort((a, b) => b[0] - a[0]).map(([, s]) => s);
  }

  function refresh() {
    const query = search.value.trim().toLowerCase();
    found = order(query ? sentences.filter((sentence) => matches(sentence, query)) : sentences);
    shown = 0;
    list.replaceChildren();
    extend();
    if (!bank.isIncomplete)
      say(`${found.length.toLocaleString("en")} of ${bank.total.toLocaleString("en")} sentences` +
        (sentences.length < bank.total ? `; ${sentences.length.toLocaleString("en")} are here` : "") +
        bank.remarks.map((remark) => `; ${remark}`).join(""));
    const missing = bank.total - sentences.length;
    wholeButton.hidden = !(missing && bank.files.length && !bank.isIncomplete);
    wholeButton.textContent = `Load all ${bank.total.toLocaleString("en")} sentences`;
  }

  function extend() {
    for (const sentence of found.slice(shown, shown + SHOWN)) {
      const parts = sentence.systems.filter((one) => one.heads).map((one) => rightOf(sentence, one)[0]);
      const best = parts.length ? `; ${Math.min(...parts)}${parts.length > 1 ? `–${Math.max(...parts)}` : ""} right` : "";
      const button = make("button", { type: "button" });
      button.append(
        make("span", { className: "text", dir: "auto", textContent: sentence.words.join(" ") }),
        make("small", { textContent: `${sentence.name}; ${sentence.words.length} words${best}` }));
      button.addEventListener("click", () => choose(sentence, button));
      const item = make("li");
      item.append(button);
      list.append(item);
    }
    shown += SHOWN;
    more.hidden = shown >= found.length;
    more.textContent = `Show more (${(found.length - Math.min(shown, found.length)).toLocaleString("en")})`;
  }

  function choose(sentence, button) {
    chosen = sentence;
    for (const other of list.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    draw();
  }

  function draw() {
    stage.replaceChildren();
    if (!chosen) { heading.textContent = ""; return; }
    heading.textContent = chosen.name;
    const gold = arcsOf(chosen.heads, chosen.relations);
    const wanted = [...systemsBox.querySelectorAll("input:checked")].map((box) => +box.value);
    if (!wanted.length) show("gold", "", drawn(chosen, chosen.tags, [gold], ""));
    for (const k of wanted) {
      const system = chosen.systems[k], name = bank.systems[k];
      if (system.heads) {
        const [correct, all] = rightOf(chosen, system);
        show(name, `${correct} of ${all} heads right`,
          drawn(chosen, chosen.tags, [gold, judgedArcs(chosen, system)], name));
      } else
        show(name, "its tags below gold's tree", drawn(chosen, system.tags ?? [], [gold], name));
    }
  }

  function show(name, said, svg) {
    const figure = make("div", { className: "drawing" });
    const title = make("h4", { textContent: name });
    title.append(make("span", { textContent: said ? `  ${said}` : "" }));
    const scroll = make("div", { innerHTML: svg, tabIndex: 0, dir: chosen.rightToLeft ? "rtl" : "ltr" });
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", `Tree of ${name}`);
    figure.append(title, scroll);
    stage.append(figure);
  }

  function open(number) {
    bank = banks[number];
    gather();
    orderSelect.replaceChildren(make("option", { value: "", textContent: "as in the treebank" }));
    const withTrees = bank.systems.map((name, k) => [name, k]).filter(([, k]) => sentences[0]?.systems[k].heads);
    if (withTrees.length > 1)
      orderSelect.append(make("option", { value: "spread", textContent: "systems differ most" }));
    for (const [name, k] of withTrees)
      orderSelect.append(make("option", { value: String(k), textContent: `most mistakes of ${name}` }));
    systemsBox.replaceChildren(make("legend", { textContent: "Against gold:" }));
    const all = make("button", { type: "button", className: "button", textContent: "all" });
    const boxes = bank.systems.map((name, k) => {
      const box = make("input", { type: "checkbox", value: String(k), checked: k < DRAWN_AT_FIRST });
      box.addEventListener("change", draw);
      const label = make("label");
      label.append(box, name);
      systemsBox.append(label);
      return box;
    });
    all.addEventListener("click", () => {
      const turn = boxes.some((box) => !box.checked);
      for (const box of boxes) box.checked = turn;
      draw();
    });
    if (boxes.length > 1) systemsBox.append(all);
    refresh();
    choose(found[0], list.querySelector("button"));
  }

  bankSelect.addEventListener("change", () => { search.value = ""; open(bankSelect.selectedIndex); });
  orderSelect.addEventListener("change", async () => {
    if (orderSelect.value && sentences.length < bank.total && !bank.isIncomplete) await loadAll();
    refresh();
  });
  more.addEventListener("click", extend);
  wholeButton.addEventListener("click", async () => { await loadAll(); refresh(); });
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      if (search.value.trim() && sentences.length < bank.total && !bank.isIncomplete) await loadAll();
      refresh();
    }, 150);
  });
  /* Drawn when the reader comes near, so that the page opens at once. */
  new IntersectionObserver((entries, observer) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      observer.disconnect();
      if (!bank) open(0);
    }
  }, { rootMargin: "1500px" }).observe(home);
  addEventListener("beforeprint", () => { if (!bank) open(0); });
  window.treeViewer = { verdicts, layout: treeLayout };
})();
