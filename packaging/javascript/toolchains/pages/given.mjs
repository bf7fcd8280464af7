// SPDX-License-Identifier: Apache-2.0 OR MIT
// The bundler's result for the file: its URL, or its bytes.

import { load } from "runnel";
import module from "runnel/runnel.wasm";
import { answer } from "./answer.mjs";

answer(load(module));
