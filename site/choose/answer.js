// SPDX-License-Identifier: Apache-2.0 OR MIT
// The answer in words and rows, letter by letter as lab/runnel_lab/choose/answer.py gives it.
"use strict";

// Three digits or more: 0.0336, 1.25, 12.5, 125, 12,500.
chooser.figure = function (value) {
  let digits = 0;
  while (0 < value * 10 ** digits && value * 10 ** digits < 100) digits++;
  const whole = Math.floor(value * 10 ** digits + 0.5);
  if (digits === 0) return chooser.number(BigInt(whole)); // with all digits, also beyond 2^53
  const text = String(whole).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

chooser.answer = function (data, question, mhz, nj) {
  const where = chooser.device(data, question.device);
  mhz = mhz || where.mhz;
  nj = nj || where.nj;
  const rows = [];
  const more = [];
  const out = [];
  const seen = new Set();
  for (const each of chooser.candidates(data, question)) {
    const failed = chooser.failures(data, each, question);
    if (failed.length) out.push([each, failed]);
    else if (!seen.has(each.name)) {
      seen.add(each.name);
      rows.push(each);
    } else more.push(each);
  }
  const cycles = where.unit === "cycles";
  for (const each of rows) {
    each.cost_text = chooser.number(each.cost);
    each.us = mhz && cycles ? chooser.figure(each.cost / mhz) : "";
    each.uj = nj && cycles ? chooser.figure((each.cost * nj) / 1000) : "";
    each.per_byte = question.bytes ? chooser.figure(each.cost / question.bytes) : "";
    each.times = times(each, rows[0]);
    each.kind_text = kind(each);
  }
  const forMemory = out.filter((pair) => pair[1].every((rule) => ["ram", "flash"].includes(rule.name)));
  return {
    sentence: rows.length ? sentence(where, question, rows[0], mhz) : nothing(out, where),
    notes: [...runnersUp(rows, where), ...faster(rows, out, seen, where)],
    rows,
    left_out: leftOut(out, seen),
    give_up: rows.length ? giveUp(rows[0], question) : [],
    built: rows.length ? built(rows[0]) : "",
    code: rows.length ? chooser.code(data, rows[0]) : {},
    curves: curvesOf(data, question, rows),
    cheapest: cheapest(data, question, [...rows, ...more, ...out.map((pair) => pair[0])]),
    memory: [...rows, ...more, ...forMemory.map((pair) => pair[0])].map((each) => [
      `${each.name} (${each.kernel})`,
      each.ram,
      each.cost,
    ]),
  };
};

// Nothing where the best costs nothing: a message that continues by no byte.
function times(each, best) {
  if (each === best) return "1";
  return best.cost ? chooser.figure(each.cost / best.cost) : "";
}

const KINDS = { exact: "exact", model: "timing model", measured: "measured" };

function kind(each) {
  const words = [KINDS[each.kind]];
  if (each.sum) words.push("sum of cipher and MAC");
  if (each.header) words.push(`with a header of ${each.header} bytes`);
  if (each.difference) words.push("the difference of two lengths");
  else if (each.beyond) words.push("beyond the measured lengths");
  else if (each.between) words.push("between measured lengths");
  return words.join(", ");
}

function sentence(where, question, best, mhz) {
  const size = `${chooser.number(question.bytes)} byte${question.bytes === 1 ? "" : "s"}`;
  const parts = [`${best.cost_text} ${where.unit}`];
  if (best.us) parts[0] += ` = ${best.us} µs at ${mhz} MHz`;
  if (best.uj) parts.push(`${best.uj} µJ`);
  parts.push(`${chooser.number(best.ram)} bytes of RAM${where.ram_is ? ` (${where.ram_is})` : ""}`);
  if (best.flash !== null) parts.push(`${chooser.number(best.flash)} bytes of flash`);
  if (best.air) parts.push(`${best.air} bytes more on the air`);
  return `For messages of ${size} on ${where.title}: ${called(best)}, ${parts.join(", ")}.`;
}

// The conditions that the nearest candidate fails.
function nothing(out, where) {
  if (!out.length) return `Nothing has been measured on ${where.title} yet.`;
  const near = out.filter((pair) => pair[1].every((rule) => rule.name !== "authenticated"));
  if (!near.length)
    return (
      `Nothing fits: no AEAD has been measured on ${where.title} yet. ` +
      "The library has some; `runnel aeads` lists them."
    );
  let nearest = near[0];
  for (const pair of near) if (pair[1].length < nearest[1].length) nearest = pair;
  const why = nearest[1].map((rule) => chooser.reason(rule, nearest[0])).join("; ");
  return `Nothing fits. Nearest: ${called(nearest[0])}, but it ${clause(why)}.`;
}

const called = (each) => `${each.name} (${each.title}, kernel ${each.kernel})`;

function clause(why) {
  const verbs = ["needs", "does", "cannot", "is", "takes", "authenticates"];
  return verbs.includes(why.split(" ")[0]) ? why : `fails: ${why}`;
}

const runnersUp = (rows, where) =>
  rows
    .slice(1, 4)
    .map((each) =>
      each.times
        ? `${each.title}: ${each.times} times the cost.`
        : `${each.title}: ${each.cost_text} ${where.unit}.`,
    );

// Why what costs less was not taken, where there is one reason alone; of those that do not authenticate, the cheapest.
function faster(rows, out, seen, where) {
  const found = new Map();
  const named = new Set(["raw"]);
  const asLong = where.unit === "cycles" ? "as long" : `the ${where.unit}`;
  for (const [each, failed] of out) {
    const cheaper = rows.length && failed.length === 1 && each.cost !== null && each.cost < rows[0].cost;
    if (cheaper && !seen.has(each.name) && !found.has(each.name) && !named.has(failed[0].name)) {
      if (failed[0].name === "authenticated") named.add("authenticated");
      found.set(
        each.name,
        `${each.title} would take ${chooser.figure(each.cost / rows[0].cost)} times ${asLong}, but ` +
          `${chooser.reason(failed[0], each)}.`,
      );
    }
  }
  return [...found.values()].slice(0, 3);
}

// Every algorithm without a row, and why, that of its cheapest kernel which fails least.
function leftOut(out, seen) {
  const best = new Map();
  for (const [each, failed] of out)
    if (!seen.has(each.name) && (!best.has(each.name) || failed.length < best.get(each.name)[0]))
      best.set(each.name, [failed.length, `${each.title}: ${chooser.reason(failed[0], each)}`]);
  return [...best.values()].map((pair) => pair[1]);
}

// Cost by bytes of the first rows, as far as all of them were measured.
function curvesOf(data, question, rows) {
  const chosen = rows.slice(0, 6);
  const longest = Math.min(...chosen.map((each) => longestOf(data, each)));
  return chosen.map((each) => ({
    name: each.name,
    title: each.title,
    points: data.rules.lengths
      .filter((count) => count <= longest)
      .map((count) => [count, costOf(data, each, count, question.nonce)]),
  }));
}

// Which of all that fits is the cheapest, with any of its kernels, from which length on: of each length those that were
// measured so far.
function cheapest(data, question, every) {
  const lines = [];
  let before = null;
  const fits = (each, bytes) => !chooser.failures(data, each, { ...question, bytes }).length;
  const fitting = every.filter((each) => fits(each, 0)).map((each) => [each, longestOf(data, each)]);
  for (const count of data.rules.lengths) {
    const able = fitting
      .filter(([each, longest]) => count <= longest && fits(each, count))
      .map(([each]) => [costOf(data, each, count, question.nonce), each.title]);
    if (!able.length) continue;
    const best = able.reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a))[1];
    if (best !== before) lines.push(`From ${chooser.number(count)} bytes on ${best} takes least.`);
    before = best;
  }
  return lines;
}

const partsOf = (data, each) => each.parts.map((number) => data.parts[number]);

const costOf = (data, each, count, nonce) => chooser.total(partsOf(data, each), each.extra, count, nonce);

// The longest message that all parts were measured with.
const longestOf = (data, each) => Math.min(...partsOf(data, each).map((part) => part.fresh[part.fresh.length - 1][0]));

function giveUp(best, question) {
  const lines = [`A nonce that comes twice under one key ${best.reuse}.`];
  if (best.iv_counts)
    lines.push(
      `The last ${best.iv_counts} bytes of the IV count blocks: they must be zero, and the rest another for each ` +
        "message, or keystream comes twice.",
    );
  if (best.messages) lines.push(`A key is for ${best.messages} messages at most.`);
  if (best.authenticated && question.nonce === "stream") {
    lines.push("What is decrypted is not verified before the last piece: do not act on it until then.");
    if (best.lengths_first) lines.push("The lengths of message and associated data must be known before the first piece.");
  }
  if (best.authenticated)
    lines.push(
      best.commits
        ? "It commits to its key: no sealed message opens under two."
        : "It does not commit to its key: where others choose keys, a sealed message may open under two.",
    );
  else lines.push("Nothing is authenticated: whoever can change the ciphertext changes the plaintext, bit by bit.");
  if (!best.constant_time) lines.push(`The time or the addresses of ${best.kernel} may depend on secrets.`);
  return lines;
}

// The scope of the figures; nothing where the kernel is chosen as the program runs.
const built = (best) =>
  best.built ? `Built with ${best.built}: another configuration, such as a package's, takes something else.` : "";

// Six lines for this choice in each language: c, arduino, python.
chooser.code = function (data, best) {
  const found = {};
  for (const [language, text] of Object.entries(data.code[best.code_kind]))
    found[language] = chooser.filled(text, best.code_values);
  return found;
};
