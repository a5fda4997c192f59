/* Grids: many treebanks by filters, one page of rows at a time. */
(() => {
  "use strict";
  const { make, navigable } = report;
  const collator = new Intl.Collator("en", { numeric: true });
  const KINDS = ["treebank", "language", "family", "genus", "script"];
  const PLURALS = ["treebanks", "languages", "families", "genera", "scripts"];
  const FILTERS = [1, 2, 3, 4];
  const COLUMNS = [1, 2, 4];
  const ROWS = 50;
  const isNumber = (value) => value !== null && value !== undefined;

  for (const home of document.querySelectorAll(".grid")) {
    const { treebanks, tables } = JSON.parse(home.querySelector("script").textContent);
    const state = { table: 0, kind: 0, chosen: {}, text: "", column: 0, downwards: false, page: 0, all: false };

    /* -------------------------------------------------------------- controls */

    const controls = make("div", { className: "controls" });
    const labelled = (text, element) => {
      const label = make("label", { textContent: text });
      element.setAttribute("aria-label", text);
      label.append(element);
      controls.append(label);
      return element;
    };
    const options = (select, texts) => select.replaceChildren(
      ...texts.map(([value, textContent]) => make("option", { value, textContent })));
    const changed = (change) => () => { change(); state.page = 0; show(); };
    const tableSelect = labelled("Table", make("select"));
    options(tableSelect, tables.map((table, k) => [k, table.title]));
    tableSelect.addEventListener("change", changed(() => {
      state.table = tableSelect.selectedIndex;
      state.column = 0;
      state.downwards = false;
    }));
    const kindSelect = labelled("Rows", make("select"));
    options(kindSelect, PLURALS.map((plural, k) => [k, plural]));
    kindSelect.addEventListener("change", changed(() => { state.kind = kindSelect.selectedIndex; state.column = 0; state.downwards = false; }));
    const filters = new Map(FILTERS.map((kind) => {
      const select = labelled(KINDS[kind][0].toUpperCase() + KINDS[kind].slice(1), make("select"));
      select.addEventListener("change", changed(() => { state.chosen[kind] = select.value; }));
      return [kind, select];
    }));
    const field = labelled("Name", make("input", { type: "search", placeholder: "part of a treebank's name" }));
    field.addEventListener("input", changed(() => { state.text = field.value.trim().toLowerCase(); }));
    const status = make("span", { className: "count", role: "status" });
    controls.append(status);

    /* -------------------------------------------------------------- what is shown */

    const passes = (facts, except) => facts[0].toLowerCase().includes(state.text)
      && FILTERS.every((kind) => kind === except || !state.chosen[kind] || facts[kind] === state.chosen[kind]);
    const selected = () => treebanks.map((_, i) => i).filter((i) => passes(treebanks[i]));

    /* Every filter offers what the others leave, with the number of treebanks. */
    function offer() {
      for (const [kind, select] of filters) {
        const counts = new Map();
        for (const facts of treebanks)
          if (passes(facts, kind)) counts.set(facts[kind], (counts.get(facts[kind]) ?? 0) + 1);
        const names = [...counts.keys()].sort(collator.compare);
        options(select, [["", "all"], ...names.map((name) => [name, `${name} (${counts.get(name)})`])]);
        select.value = state.chosen[kind] ?? "";
      }
    }

    const mean = (system, members) => {
      let sum = 0, n = 0;
      for (const i of members) if (isNumber(system.value[i])) { sum += system.value[i]; n += 1; }
      return n ? { value: sum / n, n } : { value: null, n: 0 };
    };

    /* A row: its name, the treebanks it stands for, and a number for every system. */
    function rowsOf(table, members) {
      if (state.kind === 0)
        return members.map((i) => ({ name: treebanks[i][0], members: [i], one: i,
          cells: table.systems.map((system) => ({ value: system.value[i] ?? null, n: 1 })) }));
      const groups = new Map();
      for (const i of members) {
        const name = treebanks[i][state.kind];
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(i);
      }
      return [...groups].map(([name, own]) => ({ name, members: own,
        cells: table.systems.map((system) => mean(system, own)) }));
    }

    /* Text columns behind the name: what a treebank is, or how many treebanks there are. */
    const textColumns = () => (state.kind === 0 ? COLUMNS.map((kind) => KINDS[kind]) : ["treebanks"]);
    const textsOf = (row) => (state.kind === 0
      ? COLUMNS.map((kind) => treebanks[row.one][kind]) : [String(row.members.length)]);

    function sorted(rows) {
      const texts = textColumns().length;
      const key = (row) => (state.column === 0 ? row.name
        : state.column <= texts ? textsOf(row)[state.column - 1]
          : row.cells[state.column - 1 - texts].value);
      const compared = rows.map((row) => [key(row), row]);
      compared.sort(([a, one], [b, two]) => {
        if (!isNumber(a) || !isNumber(b)) return !isNumber(a) - !isNumber(b);
        const order = typeof a === "number" ? a - b : collator.compare(a, b);
        return (state.downwards ? -order : order) || collator.compare(one.name, two.name);
      });
      return compared.map(([, row]) => row);
    }

    /* Asked for thousands of times: to make a formatter takes longer than to use it. */
    const formatters = new Map(tables.map((table) => [table, new Intl.NumberFormat("en",
      { minimumFractionDigits: table.decimals, maximumFractionDigits: table.decimals })]));
    const shown = (table, value) => formatters.get(table).format(table.scale * value);

    /* The best of every kind of supervision, as far as a reader can see. */
    function best(table, cells) {
      const bests = new Map();
      table.systems.forEach(({ supervision }, k) => {
        const { value } = cells[k];
        const before = bests.get(supervision);
        if (isNumber(value) && (!isNumber(before) || (table.higher ? value > before : value < before)))
          bests.set(supervision, value);
      });
      return table.systems.map(({ supervision }, k) => isNumber(cells[k].value)
        && shown(table, cells[k].value) === shown(table, bests.get(supervision)));
    }

    /* -------------------------------------------------------------- the table */

    const element = make("table");
    element.append(make("caption", { className: "caption" }), make("thead"), make("tbody"), make("tbody"));
    const box = make("div", { className: "box", tabIndex: 0, role: "region", "aria-label": "Scores by treebank" });
    box.append(element);
    const pager = make("div", { className: "controls pager" });
    const notes = make("details", { className: "notes" });
    const data = make("div", { className: "data" });
    data.append(controls, box, pager, notes);
    home.append(data);
    navigable(element);

    function headOf(table) {
      const row = make("tr");
      const heads = [
        { text: KINDS[state.kind] }, ...textColumns().map((text) => ({ text, num: text === "treebanks" })),
        ...table.systems.map((system) => ({ text: system.name, below: system.supervision, num: true, letter: system.letter })),
      ];
      heads.forEach(({ text, below, num, letter }, column) => {
        const head = make("th", { scope: "col", className: num ? "num" : "" });
        head.setAttribute("aria-sort", state.column !== column ? "none" : state.downwards ? "descending" : "ascending");
        const button = make("button", { type: "button", className: "sort", textContent: text });
        button.addEventListener("click", changed(() => {
          state.downwards = state.column === column ? !state.downwards : Boolean(num);
          state.column = column;
        }));
        if (letter) head.append(make("span", { className: "letter", textContent: letter }));
        head.append(button);
        if (below) head.append(make("small", { textContent: below }));
        row.append(head);
      });
      return row;
    }

    function rowElement(table, row, isTotal) {
      const line = make("tr", { className: "row" });
      const head = make("th", { scope: "row" });
      if (state.kind === 0 || isTotal) head.append(row.name);
      else {
        const open = make("button", { type: "button", className: "link", textContent: row.name, title: `the treebanks of ${row.name}` });
        open.addEventListener("click", changed(() => {
          state.chosen[state.kind] = row.name;
          state.kind = kindSelect.selectedIndex = 0;
          state.column = 0;
          state.downwards = false;
        }));
        head.append(open);
      }
      line.append(head);
      (isTotal ? textColumns().map((name) => (name === "treebanks" ? String(row.members.length) : "")) : textsOf(row))
        .forEach((text) => line.append(make("td", { textContent: text, className: state.kind ? "num" : "" })));
      const marks = best(table, row.cells);
      table.systems.forEach((system, k) => line.append(cellElement(table, system, row, row.cells[k], marks[k])));
      return line;
    }

    function cellElement(table, system, row, { value, n }, isBest) {
      const cell = make("td", { className: isBest ? "num best" : "num" });
      cell.append(isNumber(value) ? shown(table, value) : "–");
      const i = row.one;
      if (i === undefined) {
        if (n && n < row.members.length) cell.append(make("small", { textContent: `(${n})` }));
        return cell;
      }
      const of = (name) => system[name]?.[i] ?? null;
      const below = [];
      if (isNumber(of("low")) && isNumber(value)) below.push(`${shown(table, of("low"))}, ${shown(table, of("high"))}`);
      if (isNumber(of("deviation"))) below.push(`± ${shown(table, of("deviation"))}`);
      if (below.length) cell.append(make("small", { textContent: below.join(" ") }));
      if (of("letters")) cell.append(make("small", { className: "beats", textContent: of("letters") }));
      if (of("note")) cell.title = of("note");
      for (const [name, key] of [["n", "n"], ["signature", "s"], ["command", "c"]])
        if (of(name) !== null) cell.dataset[key] = of(name);
      return cell;
    }

    function show() {
      const table = tables[state.table];
      const members = selected();
      const rows = sorted(rowsOf(table, members));
      const pages = Math.max(Math.ceil(rows.length / ROWS), 1);
      state.page = Math.min(state.page, pages - 1);
      const begin = state.all ? 0 : state.page * ROWS;
      const seen = state.all ? rows : rows.slice(begin, begin + ROWS);
      const [totals, body] = element.tBodies;
      element.caption.textContent = table.title;
      element.tHead.replaceChildren(headOf(table));
      const total = { name: "mean", members, cells: table.systems.map((system) => mean(system, members)) };
      totals.replaceChildren(...(members.length > 1 ? [rowElement(table, total, true)] : []));
      body.replaceChildren(...seen.map((row) => rowElement(table, row, false)));
      const first = element.querySelector("td[data-s]");
      if (first) first.tabIndex = 0;
      status.textContent = `${members.length} of ${treebanks.length} treebanks`;
      pager.replaceChildren();
      if (pages > 1) {
        const step = (text, by, name) => {
          const button = make("button", { type: "button", className: "button", textContent: text, disabled: state.page + by < 0 || state.page + by >= pages });
          button.setAttribute("aria-label", name);
          button.addEventListener("click", () => { state.page += by; show(); });
          return button;
        };
        pager.append(step("‹", -1, "the rows before"), step("›", 1, "the rows after"),
          make("span", { className: "count", textContent: `rows ${begin + 1}–${begin + seen.length} of ${rows.length}` }));
      }
      notes.replaceChildren(make("summary", { textContent: "Notes on this table" }),
        ...table.notes.map((note) => make("p", { className: "note", textContent: note })));
      offer();
    }

    addEventListener("beforeprint", () => { state.all = true; show(); });
    addEventListener("afterprint", () => { state.all = false; show(); });
    show();
  }
})();
