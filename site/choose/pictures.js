// SPDX-License-Identifier: Apache-2.0 OR MIT
// The two pictures, drawn as lab/runnel_lab/pictures.py draws them.
"use strict";
(function () {
  const WIDTH = 640;
  const HEIGHT = 380;
  const LEFT = 66;
  const TOP = 14;
  const BOTTOM = 46;
  const MARGIN = 24;
  const ROW = 18;
  const LETTER = 7.6;

  function scale(values, begin, end) {
    const found = values.filter((value) => value > 0);
    const steps = [];
    for (let power = -6; power < 19; power++) for (const step of [1, 2, 5]) steps.push(Number(`${step}e${power}`));
    const least = Math.min(...found) * (1 + 1e-9);
    const first = steps.filter((step) => step <= least).length - 1;
    const last = Math.max(steps.findIndex((step) => step >= Math.max(...found) * (1 - 1e-9)), first + 1);
    const [low, high] = [steps[first], steps[last]];
    const at = (value) => begin + ((end - begin) * Math.log10(Math.max(value, low) / low)) / Math.log10(high / low);
    const all = steps.slice(first, last + 1);
    const ticks = all.length <= 9 ? all : all.filter((step) => step.toExponential().startsWith("1e"));
    return { at, ticks, end };
  }

  function short(value) {
    for (const [unit, size] of [["P", 1e15], ["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1000]])
      if (value >= size) return `${Number((value / size).toPrecision(6))}${unit}`;
    return `${Number(value.toPrecision(6))}`;
  }

  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

  function axes(x, y, across, up) {
    const bottom = HEIGHT - BOTTOM;
    const right = x.end;
    let text = "";
    for (const tick of x.ticks) {
      const at = x.at(tick).toFixed(1);
      text += `<path class="grid" d="M${at} ${TOP}V${bottom}"/>`;
      text += `<text x="${at}" y="${bottom + 16}" text-anchor="middle">${short(tick)}</text>`;
    }
    for (const tick of y.ticks) {
      text += `<path class="grid" d="M${LEFT} ${y.at(tick).toFixed(1)}H${right}"/>`;
      text += `<text x="${LEFT - 6}" y="${(y.at(tick) + 4).toFixed(1)}" text-anchor="end">${short(tick)}</text>`;
    }
    text += `<path class="axis" d="M${LEFT} ${TOP}V${bottom}H${right.toFixed(1)}"/>`;
    text += `<text x="${((LEFT + right) / 2).toFixed(1)}" y="${HEIGHT - 10}" text-anchor="middle">${escape(across)}</text>`;
    const middle = ((TOP + bottom) / 2).toFixed(1);
    return `${text}<text x="14" y="${middle}" text-anchor="middle" transform="rotate(-90 14 ${middle})">${escape(up)}</text>`;
  }

  function mark(number, x, y) {
    const at = (a, b) => `${a.toFixed(1)} ${b.toFixed(1)}`;
    if (number % 4 === 0) return `<circle class="dot" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.5"/>`;
    const ways = {
      1: `M${at(x - 3, y - 3)}h6v6h-6z`,
      2: `M${at(x, y - 4)}l4 7h-8z`,
      3: `M${at(x, y - 4.5)}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`,
    };
    return `<path class="dot" d="${ways[number % 4]}"/>`;
  }

  function apart(places) {
    const least = 14;
    const order = places.map((_, n) => n).sort((a, b) => places[a] - places[b] || a - b);
    const found = [...places];
    for (let n = 1; n < order.length; n++) found[order[n]] = Math.max(found[order[n]], found[order[n - 1]] + least);
    let lowest = HEIGHT - 8;
    for (const here of [...order].reverse()) {
      found[here] = Math.min(found[here], lowest);
      lowest = found[here] - least;
    }
    return found;
  }

  const svg = (title, inner, height = HEIGHT) =>
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">${inner}</svg>`;

  chooser.lines = function (title, series, across, up) {
    const right = WIDTH - MARGIN - LETTER * Math.max(0, ...series.map((each) => each.name.length));
    const all = series.flatMap((each) => each.points);
    const x = scale(all.map((p) => p[0]), LEFT, right);
    const y = scale(all.map((p) => p[1]), HEIGHT - BOTTOM, TOP);
    let text = axes(x, y, across, up);
    const places = apart(series.map((each) => y.at(each.points[each.points.length - 1][1])));
    series.forEach((each, number) => {
      const way = each.points.map(([a, b]) => `${x.at(a).toFixed(1)},${y.at(b).toFixed(1)}`).join(" ");
      text += `<g class="c${number % 8}"><polyline class="line" points="${way}"/>`;
      for (const [a, b] of each.points) text += mark(number, x.at(a), y.at(b));
      text += mark(number, right + 12, places[number]);
      text += `<text class="name" x="${(right + 20).toFixed(1)}" y="${(places[number] + 4).toFixed(1)}">${escape(each.name)}</text></g>`;
    });
    return svg(title, text);
  };

  chooser.pareto = function (points) {
    const edge = [];
    const order = [...points].sort((a, b) => a[1] - b[1] || a[2] - b[2] || (a[0] < b[0] ? -1 : 1));
    for (const each of order) if (!edge.length || each[2] < edge[edge.length - 1][2]) edge.push(each);
    return edge;
  };

  chooser.scatter = function (title, points, across, up) {
    const x = scale(points.map((p) => p[1]), LEFT, WIDTH - MARGIN);
    const y = scale(points.map((p) => p[2]), HEIGHT - BOTTOM, TOP);
    const edge = chooser.pareto(points);
    const way = edge.map(([, a, b]) => `${x.at(a).toFixed(1)},${y.at(b).toFixed(1)}`).join(" ");
    let text = `${axes(x, y, across, up)}<polyline class="edge" points="${way}"/>`;
    for (const point of points) {
      const [name, a, b] = point;
      const best = edge.includes(point);
      text += `<circle class="dot ${best ? "c0" : "c7"}" cx="${x.at(a).toFixed(1)}" cy="${y.at(b).toFixed(1)}" r="${best ? 5 : 3}">`;
      text += `<title>${escape(name)}: ${short(a)}, ${short(b)}</title></circle>`;
    }
    edge.forEach(([name, a, b], n) => {
      const [across, below] = [(x.at(a) - 5).toFixed(1), HEIGHT + ROW * (n + 1) - 4];
      text += `<text class="name c0" x="${across}" y="${(y.at(b) + 18).toFixed(1)}" text-anchor="end">${n + 1}</text>`;
      text += `<text class="c0" x="${LEFT}" y="${below}">${n + 1}  ${escape(name)}: ${short(a)}, ${short(b)}</text>`;
    });
    return svg(title, text, HEIGHT + ROW * edge.length + 8);
  };
})();
