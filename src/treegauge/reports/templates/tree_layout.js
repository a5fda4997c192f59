/* Where everything in a tree drawing goes: reports/trees/layout.py in the browser's language,
   with the widths of the browser's own fonts. A test holds the two together. */
const treeLayout = (() => {
  "use strict";
  const LEVEL = 19, LABEL_HEIGHT = 13, ABOVE_LINE = 2, HIGHEST = 360, GAP = 16, CORNER = 5, PORT = 7,
    PORTS_SHARE = 0.9, CLOSEST_PORTS = 2.5, NEAR = 240, CLEAR = 3, HAIR = 0.01, NARROWEST = 22,
    MARGIN = 14, FORM = 15, SMALL = 10.5;

  const isStub = (arc) => arc.head === 0 || arc.head === arc.dependent;
  const span = (arc) => [Math.min(arc.head, arc.dependent), Math.max(arc.head, arc.dependent)];
  const labelOf = (arc) => (arc.head === arc.dependent ? `${arc.label} ↻`.trim() : arc.label);
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const compare = (a, b) => {
    for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k];
    return 0;
  };

  /* The level of every arc, from 1: above all arcs inside it, beside none it crosses. */
  function arcLevels(spans) {
    const levels = spans.map(() => 0);
    const order = spans.map((_, i) => i)
      .sort((i, j) => compare([spans[i][1] - spans[i][0], ...spans[i]], [spans[j][1] - spans[j][0], ...spans[j]]));
    order.forEach((i, place) => {
      const [left, right] = spans[i];
      let lowest = 1;
      const taken = new Set();
      for (const j of order.slice(0, place)) {
        const [begin, end] = spans[j];
        if (left <= begin && end <= right) lowest = Math.max(lowest, levels[j] + 1);
        else if (begin < right && left < end) taken.add(levels[j]);
      }
      while (taken.has(lowest)) lowest++;
      levels[i] = lowest;
    });
    return levels;
  }

  function portOrder(word, number, arc) {
    if (isStub(arc)) return [0, 0, number];
    const [left, right] = span(arc), length = right - left;
    return word === right ? [-1, length, number] : [1, -length, -number];
  }

  /* How far from the middle of a word an arc leaves it: a map from word to a map from arc. */
  function portsOf(arcs, widths) {
    const atWord = new Map();
    for (const arc of arcs)
      for (const word of new Set([arc.head, arc.dependent]))
        if (word) atWord.set(word, [...(atWord.get(word) || []), arc]);
    const offsets = new Map();
    for (const [word, ends] of atWord) {
      const numbered = ends.map((arc, number) => [number, arc])
        .sort((a, b) => compare(portOrder(word, ...a), portOrder(word, ...b)));
      const width = widths[word - 1] * PORTS_SHARE;
      let between = Math.min(PORT, width / Math.max(ends.length - 1, 1));
      let places = ends.map((_, place) => place);
      if (between < CLOSEST_PORTS) {
        between = PORT;
        places = numbered.map((end) => portOrder(word, ...end)[0] + 1);
      }
      const first = (-between * (places[0] + places[places.length - 1])) / 2;
      offsets.set(word, new Map(numbered.map(([, arc], k) => [arc, first + between * places[k]])));
    }
    return offsets;
  }

  /* The middle of every word, so far apart that labels fit on their arcs. */
  function middlesOf(trees, ports, widths, labelWidth) {
    const columns = [...widths];
    for (const arcs of trees)
      for (const arc of arcs)
        if (isStub(arc))
          columns[arc.dependent - 1] = Math.max(columns[arc.dependent - 1], labelWidth(arc));
    const gaps = columns.map(() => GAP), needs = [];
    trees.forEach((arcs, k) => {
      for (const arc of arcs) {
        if (isStub(arc)) continue;
        const [left, right] = span(arc);
        const inwards = ports[k].get(right).get(arc) - ports[k].get(left).get(arc);
        needs.push([right - left, left - 1, right - 1, labelWidth(arc) + 2 * CORNER - inwards]);
      }
    });
    for (const [, left, right, need] of needs.sort(compare)) {
      const inside = sum(columns.slice(left + 1, right)) + (columns[left] + columns[right]) / 2;
      const missing = need - inside - sum(gaps.slice(left, right));
      if (missing > 0)
        for (let place = left; place < right; place++) gaps[place] += missing / (right - left);
    }
    let begin = MARGIN;
    return columns.map((column, k) => {
      const middle = begin + column / 2;
      begin += column + gaps[k];
      return middle;
    });
  }

  function box(arc) {
    const bottom = arc.height + ABOVE_LINE, half = arc.labelWidth / 2;
    return [arc.labelX - half, arc.labelX + half, bottom, bottom + LABEL_HEIGHT];
  }
  const leftOf = (arc) => Math.min(arc.headX, arc.dependentX);
  const rightOf = (arc) => Math.max(arc.headX, arc.dependentX);

  function sideOf(arcs, offsets, middles, labelWidth) {
    const spanning = arcs.filter((arc) => !isStub(arc)), stubs = arcs.filter(isStub);
    const levels = arcLevels(spanning.map(span)), most = Math.max(0, ...levels);
    let level = Math.min(LEVEL, HIGHEST / Math.max(most, 1)), placed, top;
    const x = (word, arc) => middles[word - 1] + offsets.get(word).get(arc);
    for (;;) {
      const near = level === LEVEL ? NEAR : 0;
      top = most * level + LEVEL;
      const bare = spanning.map((arc, k) => {
        const headX = x(arc.head, arc), dependentX = x(arc.dependent, arc);
        return { arc, headX, dependentX, height: levels[k] * level, label: labelOf(arc),
          labelX: (headX + dependentX) / 2, labelWidth: labelWidth(arc) };
      });
      const legs = bare.flatMap((arc) => [[leftOf(arc), arc.height], [rightOf(arc), arc.height]]);
      for (const arc of stubs) legs.push([x(arc.dependent, arc), top]);
      placed = withLabels(bare, legs, near);
      if (placed) break;
      level = Math.min(LEVEL, level * 1.2);
    }
    for (const arc of stubs) {
      const at = x(arc.dependent, arc);
      placed.push({ arc, headX: at, dependentX: at, height: top, label: labelOf(arc),
        labelX: middles[arc.dependent - 1], labelWidth: labelWidth(arc) });
    }
    return { arcs: placed, height: Math.max(0, ...placed.map((arc) => box(arc)[3])) };
  }

  /* Labels from the lowest arc to the highest; nothing if one has no free place. */
  function withLabels(arcs, legs, near) {
    const done = [];
    const order = arcs.map((arc, i) => [arc.height, leftOf(arc), i, arc])
      .sort((a, b) => compare(a.slice(0, 3), b.slice(0, 3)));
    for (const [, , , arc] of order) {
      const [, , bottom, top] = box(arc);
      const labels = done.filter((o) => o.label && box(o)[2] < top && bottom < box(o)[3])
        .map((o) => box(o).slice(0, 2));
      const lines = legs.filter(([, height]) => height > bottom).map(([x]) => [x - CLEAR, x + CLEAR]);
      let x = freePlace(arc, [...labels, ...lines], near);
      if (x === null) x = freePlace(arc, labels, near);
      if (x === null) return null;
      done.push({ ...arc, labelX: x });
    }
    return done;
  }

  function freePlace(arc, taken, near) {
    const half = arc.labelWidth / 2, left = leftOf(arc), right = rightOf(arc), middle = (left + right) / 2;
    const low = Math.min(left + CORNER + half, middle), high = Math.max(right - CORNER - half, middle);
    const clamp = (x, a, b) => Math.min(Math.max(x, a), b);
    const wanted = clamp(clamp(middle, arc.dependentX - near, arc.dependentX + near), low, high);
    const candidates = [wanted];
    for (const [a, b] of taken) candidates.push(a - half - HAIR, b + half + HAIR);
    let best = null;
    for (const x of candidates)
      if (low <= x && x <= high && !taken.some(([a, b]) => a < x + half && x - half < b))
        if (best === null || Math.abs(x - wanted) < Math.abs(best - wanted)) best = x;
    return best;
  }

  /* words: [{form, tag}], trees: lists of arcs {head, dependent, label}, measure(text, size). */
  return function lay(words, trees, rightToLeft, measure) {
    const labelWidth = (arc) => measure(labelOf(arc), SMALL);
    const widths = words.map((w) => Math.max(measure(w.form, FORM), measure(w.tag, SMALL), NARROWEST));
    const ports = trees.map((arcs) => portsOf(arcs, widths));
    const middles = middlesOf(trees, ports, widths, labelWidth);
    const sides = trees.map((arcs, k) => sideOf(arcs, ports[k], middles, labelWidth));
    const placed = words.map((word, k) => ({ ...word, x: middles[k], width: widths[k] }));
    let width = Math.max(0, ...placed.map((word) => word.x + word.width / 2));
    for (const side of sides) width = Math.max(width, ...side.arcs.map((arc) => box(arc)[1]));
    width += MARGIN;
    if (rightToLeft) {
      for (const word of placed) word.x = width - word.x;
      for (const side of sides)
        for (const arc of side.arcs) {
          arc.headX = width - arc.headX;
          arc.dependentX = width - arc.dependentX;
          arc.labelX = width - arc.labelX;
        }
    }
    return { width, words: placed, sides };
  };
})();
