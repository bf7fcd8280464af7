// SPDX-License-Identifier: Apache-2.0 OR MIT
// node webpack.cjs MODULES SCRIPT: bundles a script into dist/main.js as webpack does without a configuration.

const [modules, script] = process.argv.slice(2);
const webpack = require(`${modules}/webpack`);

// Except for its advice on how large a script should be: runnel/inline is larger.
webpack({ mode: "production", entry: `./${script}`, performance: false }, (error, stats) => {
  if (error) throw error;
  if (stats.hasErrors() || stats.hasWarnings()) {
    console.error(stats.toString());
    process.exitCode = 1;
  }
});
