// SPDX-License-Identifier: Apache-2.0 OR MIT
// The page: the question is in the address, every change answers at once.
"use strict";
(function () {
  const data = window.cipherData;
  const form = document.getElementById("question");
  const place = (id) => document.getElementById(id);
  const COLUMNS = ["title", "cost", "per_byte", "us", "uj", "ram", "flash", "air", "setup", "kind_text"];
  let sorted = { column: "cost", up: true };
  let rows = [];

  function element(name, text, attributes) {
    const found = document.createElement(name);
    if (text !== undefined) found.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) found.setAttribute(key, value);
    return found;
  }

  // Text of the address for such a field, where it is a number: browsers complain of others.
  const digits = (text) => (/^-?[0-9]+([.][0-9]+)?(e[+-]?[0-9]+)?$/i.test(text) ? text : "");

  // The value of a field for a number; null: nothing, or what is beyond its limits.
  function number({ value, validity }) {
    return value === "" || validity.rangeUnderflow || validity.rangeOverflow ? null : Number(value);
  }

  // The current values of the controls.
  function asked() {
    const question = chooser.defaults(data);
    for (const each of data.rules.questions) {
      const control = form.elements[each.name];
      if (each.kind === "flag") question[each.name] = control.checked;
      else if (each.kind === "count") {
        const value = number(control);
        question[each.name] = value === null ? question[each.name] : Math.floor(value);
      } else question[each.name] = control.value;
    }
    return question;
  }

  const NAMES = [...data.rules.questions.map((each) => each.name), "mhz", "nj"];

  // The question in the part behind #; null: it is a place of this page.
  function hashed() {
    const params = new URLSearchParams(location.hash.slice(1));
    return !location.hash || NAMES.some((name) => params.has(name)) ? params : null;
  }

  function fromAddress() {
    const params = (location.hash && hashed()) || new URLSearchParams(location.search);
    for (const each of data.rules.questions) {
      if (!params.has(each.name)) continue;
      const control = form.elements[each.name];
      const value = params.get(each.name);
      if (each.kind === "flag") control.checked = value === "yes";
      else if (each.kind === "count") control.value = digits(value);
      else if ([...control.options].some((option) => option.value === value)) control.value = value;
    }
    for (const name of ["mhz", "nj"]) if (params.has(name)) form.elements[name].value = digits(params.get(name));
  }

  // Only what differs from the defaults is in the address.
  function toAddress(question) {
    const params = new URLSearchParams();
    const usual = chooser.defaults(data);
    for (const each of data.rules.questions) {
      const value = question[each.name];
      if (value === usual[each.name] || value === null) continue;
      params.set(each.name, each.kind === "flag" ? (value ? "yes" : "no") : value);
    }
    for (const name of ["mhz", "nj"]) if (number(form.elements[name])) params.set(name, form.elements[name].value);
    const text = params.toString();
    history.replaceState(null, "", location.pathname + (text && `#${text}`));
  }

  function list(id, lines) {
    place(id).replaceChildren(...lines.map((line) => element("li", line)));
  }

  function shown(row, column) {
    if (column === "cost") return row.cost_text;
    if (column === "setup") return row.setup === null ? "" : `${row.setup} %`;
    const value = row[column];
    return typeof value === "number" ? chooser.number(value) : value || "–";
  }

  function value(row, column) {
    if (column === "us" || column === "per_byte" || column === "uj") return row.cost;
    return row[column] === null ? Infinity : row[column];
  }

  function table() {
    const order = [...rows].sort((a, b) => {
      const [x, y] = [value(a, sorted.column), value(b, sorted.column)];
      return (x < y ? -1 : x > y ? 1 : 0) * (sorted.up ? 1 : -1);
    });
    const most = Math.max(...rows.map((row) => row.cost), 1);
    const body = order.map((row) => {
      const line = element("tr");
      for (const column of COLUMNS) {
        const words = column === "title" || column === "kind_text";
        const cell = element(column === "title" ? "th" : "td", shown(row, column), words ? {} : { class: "number" });
        if (column === "title") {
          cell.setAttribute("scope", "row");
          cell.append(element("br"), element("code", row.name), element("br"), `${row.status}; kernel ${row.kernel}`);
        }
        if (column === "cost") cell.append(element("progress", undefined, { value: row.cost, max: most, "aria-hidden": "true" }));
        line.append(cell);
      }
      return line;
    });
    document.querySelector("#table tbody").replaceChildren(...body);
    for (const button of document.querySelectorAll("#table thead button")) {
      const mine = button.dataset.column === sorted.column;
      const head = button.parentElement;
      if (mine) head.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }

  // A tab for each language; the one that was chosen stays.
  function code(found) {
    const titles = { c: "C", arduino: "Arduino", python: "Python" };
    const before = (document.querySelector("#code input:checked") || { value: "c" }).value;
    const chosen = before in found ? before : Object.keys(found)[0];
    const parts = Object.entries(found).flatMap(([language, text]) => {
      const id = `code-${language}`;
      const tab = element("input", undefined, { type: "radio", name: "code", id, value: language });
      tab.checked = language === chosen;
      const content = element("div", undefined, { class: "sd-tab-content" });
      const pre = element("pre", undefined, { tabindex: "0", "aria-label": titles[language] });
      pre.append(element("code", text));
      content.append(pre);
      return [tab, element("label", titles[language], { class: "sd-tab-label", for: id }), content];
    });
    place("code").replaceChildren(...parts);
  }

  function alternatives(unit) {
    const best = rows.slice(0, 8);
    const most = Math.max(...best.map((row) => row.cost), 1);
    const lines = best.map((row, n) => {
      const line = element("li");
      const times = n && row.times ? `, ${row.times} times` : "";
      line.append(element("b", row.title), " ", element("span", `${row.cost_text} ${unit}${times}`));
      line.append(element("progress", undefined, { value: row.cost, max: most, "aria-hidden": "true" }));
      return line;
    });
    place("alternatives").replaceChildren(...lines);
  }

  function copyCode() {
    const button = place("copy");
    const copying = new ClipboardJS(button, { text: () => document.querySelector("#code input:checked + label + div").textContent });
    const say = (text) => {
      button.textContent = text;
      setTimeout(() => (button.textContent = "Copy"), 2000);
    };
    copying.on("success", () => say("Copied"));
    copying.on("error", () => say("Not copied"));
  }

  function commands(best) {
    const found = best ? best.commands : [];
    place("commands").replaceChildren(...found.flatMap((line, n) => [n ? ", " : "", element("code", line)]));
  }

  function draw(found, unit) {
    const curves = found.curves.filter((each) => each.points.length > 1);
    place("curves").innerHTML = curves.length
      ? chooser.lines(`Cost in ${unit} by bytes of the message: ${found.cheapest.join(" ")}`, curves, "bytes of the message", unit)
      : "";
    const points = found.memory.filter((point) => point[1] > 0 && point[2] > 0);
    const edge = chooser.pareto(points).map((point) => point[0]);
    place("memory").innerHTML = points.length
      ? chooser.scatter(`RAM against cost in ${unit}; not beaten in both: ${edge.join(", ")}`, points, "bytes of RAM", unit)
      : "";
  }

  function energy(where) {
    const typed = where.unit === "cycles" && number(form.elements.nj);
    if (typed) return ` Energy: ${typed} nJ a cycle, as set above.`;
    return where.nj_why ? ` Energy: ${where.nj} nJ a cycle, ${where.nj_why}.` : "";
  }

  function show() {
    const question = asked();
    const where = chooser.device(data, question.device);
    const found = chooser.answer(data, question, number(form.elements.mhz), number(form.elements.nj));
    rows = found.rows;
    place("sentence").textContent = found.sentence;
    list("notes", found.notes);
    list("give-up", found.give_up);
    list("left-out", found.left_out);
    list("cheapest", found.cheapest);
    place("about-device").textContent = `Figures on ${where.title}: ${where.error}.${energy(where)}`;
    place("table").querySelector('[data-column="cost"]').textContent = where.unit;
    table();
    alternatives(where.unit);
    place("built").textContent = found.built;
    code(found.code);
    commands(rows[0]);
    draw(found, where.unit);
    toAddress(question);
  }

  for (const button of document.querySelectorAll("#table thead button"))
    button.addEventListener("click", () => {
      const column = button.dataset.column;
      sorted = { column, up: sorted.column === column ? !sorted.up : true };
      table();
    });
  // What a device's messages usually have, as long as no length was typed.
  let typed = false;
  form.elements.bytes.addEventListener("input", () => (typed = true));
  form.elements.device.addEventListener("input", () => {
    const usual = chooser.device(data, form.elements.device.value).bytes || chooser.defaults(data).bytes;
    if (!typed) form.elements.bytes.value = usual;
  });
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    if (!hashed()) return;
    form.reset();
    fromAddress();
    show();
  });
  chooser.asked = asked;
  fromAddress();
  typed = hashed() !== null && (hashed().has("bytes") || new URLSearchParams(location.search).has("bytes"));
  copyCode();
  const begin = performance.now();
  show();
  chooser.milliseconds = performance.now() - begin;
})();
