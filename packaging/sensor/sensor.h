/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The program that each package of packaging/ is tried with. */
#ifndef SENSOR_H
#define SENSOR_H

/* Writes text to where the board's output goes. The board has it. */
void put(const char *text);

/* Seals a reading with three AEADs, prints each, opens it again and refuses a copy with one bit flipped. Returns 0, or the
 * number of the step that went wrong. */
int sensor(void);

#endif
