// SPDX-License-Identifier: Apache-2.0 OR MIT

import { load } from "runnel";
import { answer } from "./answer.mjs";

answer(load());
