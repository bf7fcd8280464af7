// SPDX-License-Identifier: Apache-2.0 OR MIT
// Carries out the rules of cipher-data.json, step by step as lab/runnel_lab/choose/rules.py does; the tests hold both to the
// same answers.
"use strict";
var chooser = {};

chooser.defaults = function (data) {
  const asked = {};
  for (const each of data.rules.questions) asked[each.name] = each.default === undefined ? null : each.default;
  asked.device = data.devices[0].name;
  return asked;
};

chooser.device = (data, name) => data.devices.find((each) => each.name === name);

// The cost of so many bytes: on straight lines between what was measured, and on the last line beyond it.
chooser.interpolated = function (points, count) {
  if (count <= points[0][0] || points.length === 1) return points[0][1];
  let after = points.findIndex((point) => point[0] >= count);
  if (after < 0) after = points.length - 1;
  const [x0, y0] = points[after - 1];
  const [x1, y1] = points[after];
  return y0 + ((y1 - y0) * (count - x0)) / (x1 - x0);
};

// The cost of further bytes of one message: as measured, or what the longest message takes more than the shortest, or than
// none where there is one length alone.
chooser.going = function (part) {
  const [x0, y0] = part.fresh[part.fresh.length > 2 ? 1 : 0];
  const [x1, y1] = part.fresh[part.fresh.length - 1];
  return part.going || [[0, 0], [x1 - x0, y1 - y0]];
};

// The cost of a part for a message of so many bytes, or for so many more of one.
chooser.costOf = function (part, count, nonce) {
  if (nonce === "stream") return chooser.interpolated(chooser.going(part), count);
  const block = part.block || 1;
  return chooser.interpolated(part.fresh, Math.ceil(count / block) * block);
};

const sum = (values) => values.reduce((a, b) => a + b, 0);

// The cost of a message; the first part has `extra` bytes more to do.
chooser.total = (parts, extra, count, nonce) => Math.floor(sumOf(parts, extra, count, nonce) + 0.5);

const sumOf = (parts, extra, count, nonce) =>
  sum(parts.map((part, n) => chooser.costOf(part, count + (n === 0 ? extra : 0), nonce)));

// Everything that was measured on the device, with what a message costs, the cheapest first.
chooser.candidates = function (data, question) {
  const where = chooser.device(data, question.device);
  const missing = (kernel) => (where.without || []).some((word) => kernel.startsWith(word) || kernel.endsWith(word));
  const found = [];
  for (const option of data.options) {
    const mine = option.parts.map((number) => data.parts[number]);
    if (mine[0].target !== targetOf(where, mine[0]) || mine.some((part) => missing(part.kernel))) continue;
    found.push(candidate(data, where, option, mine, question));
  }
  return found.sort(compared);
};

// Whole packets may have been measured on a target of their own.
const targetOf = (where, part) => ("air" in part && where.packets) || where.target;

function compared(a, b) {
  const first = [a.cost === null ? Infinity : a.cost, a.ram || 0, a.name, a.kernel];
  const second = [b.cost === null ? Infinity : b.cost, b.ram || 0, b.name, b.kernel];
  for (let n = 0; n < first.length; n++) {
    if (first[n] < second[n]) return -1;
    if (first[n] > second[n]) return 1;
  }
  return 0;
}

function candidate(data, where, option, parts, question) {
  const facts = data.algorithms[option.name];
  const extra = option.extra || 0;
  const stream = question.nonce === "stream";
  const cost = stream && !facts.pieces ? null : chooser.total(parts, extra, question.bytes, question.nonce);
  const empty = sumOf(parts, extra, 0, question.nonce);
  const flash = parts.map((part) => part.rom);
  const places = parts.map((part, n) => placeOf(part, question.bytes + (n === 0 ? extra : 0), stream));
  const tag = "tag_bytes" in parts[0] ? parts[0].tag_bytes : facts.tag_bytes;
  return {
    name: option.name,
    ...facts,
    tag_bytes: tag,
    code_values: { ...facts.code_values, tag_bytes: tag },
    kernel: [...new Set(parts.map((part) => part.kernel))].join(" + "),
    constant_time: parts.every((part) => part.constant_time),
    cost,
    setup: !cost ? null : Math.floor((100 * Math.min(empty, cost)) / cost + 0.5),
    key: Math.floor(sum(parts.map((part) => part.key || 0)) + 0.5),
    ram: sum(parts.map((part) => part.static)) + Math.max(...parts.map((part) => part.stack)),
    flash: flash.includes(null) ? null : sum(flash),
    air: stream ? tag : "air" in parts[0] ? parts[0].air : tag + where.counter_bytes,
    kind: parts[0].kind,
    between: places.includes("between"),
    beyond: places.includes("beyond"),
    difference: stream && !parts.every((part) => part.going),
    sum: parts.length > 1,
    header: stream ? 0 : parts[0].header || 0,
    code_kind: stream ? facts.pieces_code_kind : facts.code_kind,
    built: builtOf(parts),
    commands: parts.map((part) => part.command),
    parts: option.parts,
    extra,
  };
}

// Where the length lies: on what was measured, between, or beyond. What a fresh message of no byte takes was not measured.
function placeOf(part, count, stream) {
  const lengths = (stream ? chooser.going(part) : part.fresh.slice(1)).map((point) => point[0]);
  if (lengths.includes(count)) return "";
  return lengths[0] < count && count < lengths[lengths.length - 1] ? "between" : "beyond";
}

// The knobs of a build that has all parts: of two lengths of key the longer.
function builtOf(parts) {
  const found = new Map();
  for (const part of parts)
    for (const [name, value] of Object.entries(part.macros)) if (!(found.get(name) > value)) found.set(name, value);
  return [...found].map(([name, value]) => `${name}=${value}`).join(", ");
}

// The least of the limits that are set: answers, or fields of the device.
function limit(where, question, names) {
  const values = names
    .map((name) => (name.startsWith("device.") ? where[name.slice(7)] : question[name]))
    .filter((value) => value !== null && value !== undefined);
  return values.length ? Math.min(...values) : null;
}

chooser.passes = function (rule, each, question, where) {
  for (const [name, answers] of Object.entries(rule.when || {})) if (!answers.includes(question[name])) return true;
  const value = each[rule.field];
  if ("is" in rule) return value === rule.is;
  if ("has" in rule) return value.includes(question[rule.has]);
  if ("at_least" in rule) return value === null || value >= question[rule.at_least];
  if (value === null) return rule.at_most.every((name) => question[name] === null || question[name] === undefined);
  const most = limit(where, question, rule.at_most);
  return most === null || value <= most;
};

chooser.failures = function (data, each, question) {
  const where = chooser.device(data, question.device);
  return data.rules.filters.filter((rule) => !chooser.passes(rule, each, question, where));
};

chooser.number = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// Why the filter keeps the candidate out.
chooser.reason = function (rule, each) {
  const unknown = "why_unknown" in rule && each[rule.field] === null;
  return chooser.filled(unknown ? rule.why_unknown : rule.why, each);
};

// The text with {field} in place; numbers have commas.
chooser.filled = (text, values) =>
  text.replace(/\{([a-z]\w*)\}/g, (_, name) =>
    Number.isInteger(values[name]) ? chooser.number(values[name]) : String(values[name]),
  );
