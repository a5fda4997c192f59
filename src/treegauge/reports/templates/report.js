/* Sorting, filtering, tooltips, where numbers come from: all that a report does by itself. */
const report = (() => {
  "use strict";
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const all = (selector, home = document) => [...home.querySelectorAll(selector)];
  const make = (tag, properties = {}) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties))
      if (name in element) element[name] = value;
      else element.setAttribute(name, value);
    return element;
  };

  /* ------------------------------------------------------------------ light and dark */

  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem("treegauge-theme"); } catch { return null; } })();
  if (kept) root.dataset.theme = kept;
  const themeButton = make("button", { type: "button", className: "button" });
  const isDark = () => (root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const nameTheme = () => { themeButton.textContent = isDark() ? "☀ Light" : "☾ Dark"; };
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("treegauge-theme", root.dataset.theme); } catch { /* not allowed here */ }
    nameTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  nameTheme();
  document.querySelector("header.top").append(themeButton);

  /* ------------------------------------------------------------------ tables */

  const collator = new Intl.Collator("en", { numeric: true });

  function sortable(table) {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const label = head.querySelector("span");
      const button = make("button", { type: "button", className: "sort", textContent: label.textContent });
      if (!label.textContent) button.setAttribute("aria-label", "name");
      label.replaceWith(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const isNumber = head.classList.contains("num");
        const before = head.getAttribute("aria-sort");
        const downwards = before === "none" ? isNumber : before === "ascending";
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
        for (const body of table.tBodies) sortBody(body, column, isNumber, downwards);
      });
    });
  }

  /* A row goes with those that follow it. */
  function sortBody(body, column, isNumber, downwards) {
    const units = [];
    for (const row of [...body.rows]) {
      if (row.classList.contains("heading")) continue;
      if (row.classList.contains("follower") && units.length) units.at(-1).rows.push(row);
      else {
        const cell = row.cells[column];
        const value = isNumber ? parseFloat(cell.dataset.v) : cell.textContent;
        units.push({ value, rows: [row] });
      }
    }
    const isMissing = (value) => isNumber && Number.isNaN(value);
    units.sort((a, b) => {
      /* What is missing comes last, whichever way one sorts. */
      if (isMissing(a.value) || isMissing(b.value)) return isMissing(a.value) - isMissing(b.value);
      const order = isNumber ? a.value - b.value : collator.compare(a.value, b.value);
      return downwards ? -order : order;
    });
    body.append(...units.flatMap((unit) => unit.rows));
  }

  const FEW = 6;
  function filterable(home, table) {
    const rows = all("tr.row", table);
    if (rows.length < FEW) return;
    const field = make("input", { type: "search", placeholder: "part of a name, or > 50" });
    const label = make("label", { textContent: "Filter" });
    const count = make("span", { className: "count", role: "status" });
    const controls = make("div", { className: "controls" });
    label.append(field);
    controls.append(label, count);
    home.prepend(controls);
    field.addEventListener("input", () => {
      const wanted = condition(field.value.trim().toLowerCase());
      let shown = 0;
      for (const row of rows) {
        let last = row;
        const unit = [row];
        while (last.nextElementSibling?.classList.contains("follower"))
          unit.push((last = last.nextElementSibling));
        const fits = unit.some(wanted);
        for (const one of unit) one.hidden = !fits;
        shown += fits;
      }
      for (const body of table.tBodies)
        for (const heading of all("tr.heading", body))
          heading.hidden = !all("tr.row:not([hidden])", body).length;
      count.textContent = field.value ? `${shown} of ${rows.length} rows` : "";
    });
  }

  /* Text is looked for in all that is text; `> 50` in all that are numbers. */
  function condition(query) {
    const comparison = /^([<>]=?)\s*(-?[\d.]+)$/.exec(query);
    if (!comparison)
      return (row) => all("th, td:not(.num)", row).some((cell) => cell.textContent.toLowerCase().includes(query));
    const [, sign, text] = comparison, bound = parseFloat(text);
    const holds = { ">": (x) => x > bound, "<": (x) => x < bound, ">=": (x) => x >= bound, "<=": (x) => x <= bound }[sign];
    return (row) => all("td.num", row).some((cell) => holds(parseFloat(cell.firstChild.textContent.replaceAll(",", ""))));
  }

  for (const home of all(".data")) {
    const table = home.querySelector("table");
    sortable(table);
    filterable(home, table);
  }

  /* ------------------------------------------------------------------ one at a time */

  for (const choice of all(".choice")) {
    const panes = all(":scope > .pane", choice);
    if (panes.length < 2) continue;
    const select = make("select");
    for (const pane of panes) select.append(make("option", { textContent: pane.dataset.name }));
    const show = () => panes.forEach((pane, k) => { pane.hidden = k !== select.selectedIndex; });
    select.addEventListener("change", show);
    const label = make("label", { textContent: choice.dataset.label });
    label.append(select);
    const controls = make("div", { className: "controls" });
    controls.append(label);
    choice.prepend(controls);
    show();
  }

  /* ------------------------------------------------------------------ where a number comes from */

  const dialog = make("dialog");
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  function explain(cell) {
    const row = cell.parentElement, table = cell.closest("table");
    const head = table.tHead.rows[0].cells[cell.cellIndex];
    const name = (th) => (th.querySelector(".sort, span") ?? th).textContent;
    const entries = [];
    const interval = cell.querySelector("small:not(.beats)")?.textContent;
    const letters = cell.querySelector(".beats")?.textContent;
    if (interval) entries.push(["interval", interval]);
    if (cell.dataset.n) entries.push(["n", Number(cell.dataset.n).toLocaleString("en")]);
    if (letters) entries.push(["significantly better than", letters]);
    if (cell.dataset.s) entries.push(["signature", facts.signatures[cell.dataset.s]]);
    dialog.replaceChildren();
    const close = make("button", { type: "button", className: "button", textContent: "Close", style: "float: right" });
    close.addEventListener("click", () => dialog.close());
    const value = cell.firstChild.textContent;
    dialog.append(close,
      make("h3", { textContent: `${row.cells[0].lastChild.textContent}, ${name(head)}` }),
      make("p", { className: "note", textContent: table.caption.textContent }),
      make("div", { className: "large", textContent: value }));
    const facts_ = make("dl", { className: "listing" });
    for (const [term, text] of entries)
      facts_.append(make("dt", { textContent: term }), make("dd", { className: "mono", textContent: text }));
    dialog.append(facts_);
    if (cell.dataset.c) {
      const words = cell.dataset.c.split(" ").map((part) => facts.commands[part]).join(" ");
      const block = make("div", { className: "command-block" });
      block.append(make("pre", { className: "command", textContent: words, tabIndex: 0 }));
      dialog.append(make("p", { className: "note", textContent: "To reproduce this number:" }), block);
      copyable(block);
    }
    dialog.showModal();
  }

  /* One stop for the tabulator in every table; arrows go from number to number. */
  function navigable(table) {
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-s]");
      if (cell) explain(cell);
    });
    table.addEventListener("keydown", (event) => {
      const cell = event.target.closest("td[data-s]");
      if (!cell) return;
      if (event.key === "Enter") { event.preventDefault(); explain(cell); return; }
      const rows = all("tr.row:not([hidden])", table), at = rows.indexOf(cell.parentElement);
      const next = {
        ArrowLeft: () => cell.previousElementSibling, ArrowRight: () => cell.nextElementSibling,
        ArrowUp: () => rows[at - 1]?.cells[cell.cellIndex], ArrowDown: () => rows[at + 1]?.cells[cell.cellIndex],
      }[event.key]?.();
      if (!next?.dataset.s) return;
      event.preventDefault();
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }
  for (const table of all(".data table")) {
    const first = table.querySelector("td[data-s]");
    if (!first) continue;
    first.tabIndex = 0;
    navigable(table);
  }

  function copyable(block) {
    const button = make("button", { type: "button", className: "button", textContent: "Copy" });
    button.addEventListener("click", async () => {
      const text = block.querySelector("pre").textContent;
      try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
      catch { getSelection().selectAllChildren(block.querySelector("pre")); button.textContent = "Selected"; }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }
  for (const block of all(".command-block")) copyable(block);

  /* ------------------------------------------------------------------ figures */

  const tip = make("div", { id: "tip", hidden: true, role: "tooltip" });
  document.body.append(tip);
  /* Titles would be shown by the browser too, late and small. */
  const saidBy = (target) => {
    const element = target.closest?.(".tg-fig *");
    if (!element) return null;
    const title = element.querySelector(":scope > title");
    if (title) { element.dataset.said = title.textContent; title.remove(); }
    return element.dataset.said ?? null;
  };
  for (const event of ["pointerover", "pointerdown"])
    document.addEventListener(event, ({ target, clientX, clientY }) => {
      const said = saidBy(target);
      tip.hidden = !said;
      if (!said) return;
      tip.textContent = said;
      const { width, height } = tip.getBoundingClientRect();
      tip.style.left = `${Math.max(8, Math.min(clientX + 14, innerWidth - width - 8))}px`;
      tip.style.top = `${clientY + 18 + height > innerHeight ? clientY - height - 12 : clientY + 18}px`;
    });
  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

  function standalone(svg) {
    const copy = svg.cloneNode(true);
    for (const element of all("[data-said]", copy)) {
      element.append(Object.assign(document.createElementNS(svg.namespaceURI, "title"), { textContent: element.dataset.said }));
      element.removeAttribute("data-said");
    }
    copy.prepend(Object.assign(document.createElementNS(svg.namespaceURI, "style"), { textContent: facts.style }));
    return new XMLSerializer().serializeToString(copy);
  }
  for (const figure of all("figure")) {
    const bar = make("div", { className: "controls" });
    const save = make("button", { type: "button", className: "button", textContent: "SVG" });
    save.setAttribute("aria-label", `Save as SVG: ${figure.dataset.name}`);
    save.addEventListener("click", () => {
      const address = URL.createObjectURL(new Blob([standalone(figure.querySelector("svg"))], { type: "image/svg+xml" }));
      make("a", { href: address, download: `${figure.dataset.name}.svg` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });
    const print_ = make("button", { type: "button", className: "button", textContent: "PDF" });
    print_.setAttribute("aria-label", `Print or save as PDF: ${figure.dataset.name}`);
    print_.addEventListener("click", () => {
      figure.classList.add("only");
      document.body.classList.add("one-figure");
      print();
      figure.classList.remove("only");
      document.body.classList.remove("one-figure");
    });
    bar.append(save, print_);
    figure.append(bar);
  }

  /* ------------------------------------------------------------------ the whole page */

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; opened = []; });

  const links = new Map(all(".side-nav a").map((a) => [a.hash.slice(1), a]));
  const spy = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(target.id)?.setAttribute("aria-current", "true");
      }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const section of all("main > section")) spy.observe(section);

  return { make, navigable };
})();
