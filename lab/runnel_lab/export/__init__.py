# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cipher-data.json: what was measured, put together for those who choose a cipher. The page, `runnel choose` and whoever
wants our numbers read this file and nothing else.

{"schema": 1, "version", "measured", "licence", "about", "devices", "rules", "code", "algorithms", "machines", "parts",
"options"}
    measured    the day of the newest figure
    devices     lab/chooser/devices.toml, each with counter_bytes: what of a nonce a packet carries
    rules, code lab/chooser/rules.toml, code.toml
    algorithms  by name, what does not depend on the device: title, status, remark, specification, standards,
                authenticated, seek, pieces (a message may come in pieces), lengths_first (its lengths before the pieces),
                tolerates_reuse, reuse (what a nonce that comes twice does), messages (a key, text or null), message_bytes
                (null: no limit), iv_counts (how many last bytes of an IV count blocks), commits, tag_bytes, code_kind,
                pieces_code_kind and code_values
    parts       what was measured, a kernel on a target each: target, name, kernel, key (set-up), fresh and going, cost by
                bytes, after a fresh nonce and continued (null: not measured), lists of [bytes, cost] (the first of fresh is
                what no byte would take, by the line through the first and the last length that were measured), block (bytes
                are rounded up to it), rom, static, stack (bytes of memory; static has the context in it), constant_time,
                kind (exact, model, measured), macros (by name: the build's knobs that are not firmware's defaults), command
                (measures it anew); of packets that were measured as a whole air (bytes that security adds), tag_bytes,
                header (bytes of associated data). Costs are in the device's unit
    machines    recorded by `runnel speed`: title, date, gb_per_s by name, of messages of 16 KiB
    options     what may be chosen: name, parts (by number), extra (bytes of keystream besides the message, for the key of
                Poly1305)
A field may be added; one that goes or changes its meaning makes another schema."""
