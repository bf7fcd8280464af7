// SPDX-License-Identifier: Apache-2.0 OR MIT
// The answer in words and rows, letter by letter as python/runnel/choose/answer.py gives it.
"use strict";

// Three digits or more: 0.034, 1.25, 12.5, 125, 12,500.
chooser.figure = function (value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  const whole = Math.floor(value * 10 ** digits + 0.5);
  if (digits === 0) return chooser.number(whole);
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
  const curves = curvesOf(data, question, rows);
  return {
    sentence: rows.length ? sentence(where, question, rows[0], mhz) : nothing(out, where),
    notes: [...runnersUp(rows, where), ...faster(rows, out, seen)],
    rows,
    left_out: leftOut(out, seen),
    give_up: rows.length ? giveUp(rows[0], question) : [],
    code: rows.length ? chooser.code(data, rows[0]) : {},
    curves,
    cheapest: cheapest(curves),
    memory: [...rows, ...more, ...forMemory.map((pair) => pair[0])].map((each) => [
      `${each.name} (${each.kernel})`,
      each.ram,
      each.cost,
    ]),
  };
};

// Nothing where the best costs nothing: a message that goes on by no byte.
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
  else if (each.between) words.push("between measured lengths");
  return words.join(", ");
}

function sentence(where, question, best, mhz) {
  const size = `${chooser.number(question.bytes)} byte${question.bytes === 1 ? "" : "s"}`;
  const parts = [`${best.cost_text} ${where.unit}`];
  if (best.us) parts[0] += ` = ${best.us} µs at ${mhz} MHz`;
  if (best.uj) parts.push(`${best.uj} µJ`);
  parts.push(`${chooser.number(best.ram)} bytes of RAM`);
  if (best.flash !== null) parts.push(`${chooser.number(best.flash)} bytes of flash`);
  if (best.air) parts.push(`${best.air} bytes more on the air`);
  return `For messages of ${size} on ${where.title}: ${called(best)}, ${parts.join(", ")}.`;
}

// What stands in the way of the one that fails least.
function nothing(out, where) {
  if (!out.length) return `Nothing has been measured on ${where.title} yet.`;
  let nearest = out[0];
  for (const pair of out) if (pair[1].length < nearest[1].length) nearest = pair;
  const why = nearest[1].map((rule) => chooser.filled(rule.why, nearest[0])).join("; ");
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
function faster(rows, out, seen) {
  const found = new Map();
  const told = new Set(["raw"]);
  for (const [each, failed] of out) {
    const cheaper = rows.length && failed.length === 1 && each.cost !== null && each.cost < rows[0].cost;
    if (cheaper && !seen.has(each.name) && !found.has(each.name) && !told.has(failed[0].name)) {
      if (failed[0].name === "authenticated") told.add("authenticated");
      found.set(
        each.name,
        `${each.title} would take ${chooser.figure(each.cost / rows[0].cost)} times as long, but ` +
          `${chooser.filled(failed[0].why, each)}.`,
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
      best.set(each.name, [failed.length, `${each.title}: ${chooser.filled(failed[0].why, each)}`]);
  return [...best.values()].map((pair) => pair[1]);
}

// Cost by bytes of the first rows, as far as all of them were measured.
function curvesOf(data, question, rows) {
  const chosen = rows.slice(0, 6);
  const mine = chosen.map((each) => each.parts.map((number) => data.parts[number]));
  const longest = Math.min(...mine.flat().map((part) => part.fresh[part.fresh.length - 1][0]));
  return chosen.map((each, n) => ({
    name: each.name,
    title: each.title,
    points: data.rules.lengths
      .filter((count) => count <= longest)
      .map((count) => [count, chooser.total(mine[n], each.extra, count, question.nonce)]),
  }));
}

// Which is the cheapest of them from which length on.
function cheapest(curves) {
  const lines = [];
  let before = null;
  (curves.length ? curves[0].points : []).forEach(([count], number) => {
    let best = curves[0];
    for (const each of curves) if (each.points[number][1] < best.points[number][1]) best = each;
    if (best.title !== before) lines.push(`From ${chooser.number(count)} bytes on ${best.title} takes least.`);
    before = best.title;
  });
  return lines;
}

function giveUp(best, question) {
  const lines = [`A nonce that comes twice under one key ${best.reuse}.`];
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

// Six lines for this choice in each language: c, arduino, python.
chooser.code = function (data, best) {
  const found = {};
  for (const [language, text] of Object.entries(data.code[best.code_kind]))
    found[language] = chooser.filled(text, best.code_values);
  return found;
};
