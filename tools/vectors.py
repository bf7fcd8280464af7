#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Turn a collection of test vectors in JSON into the text format of tests/vectors/README.md.

    tools/vectors.py select [DIRECTORY]          write the selection kept in the ciphers' folders and tests/vectors
    tools/vectors.py convert OUT [DIRECTORY]     write everything, a file for each cipher's folder, into OUT

DIRECTORY holds block/, stream/ and aead/; without it: the environment variable RUNNEL_VECTORS, else ../shared/vectors beside
the checkout.
"""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

REPOSITORY = ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
MARK = "# From here on written by tools/vectors.py; the format: tests/vectors/README.md"
LAYOUTS = {
    (128, 0, "big"): "be128",
    (64, 8, "big"): "be64",
    (32, 12, "big"): "be32",
    (16, 14, "big"): "be16",
    (128, 0, "little"): "le128",
    (64, 0, "little"): "le64",
    (32, 0, "little"): "le32",
    (32, 4, "big"): "be32-left",
}
# file: (cipher or its family, layout); those BY_KEY take their names from the length of the key
CTR = {
    "aes_ctr_sp800_38a": ("aes", "be128"),
    "aes_ctr_rfc3686": ("aes", "be32"),
    "aes_ctr_lengths": ("aes", "be128"),
    "aes_ctr_wrap": ("aes", "be128"),
    "aes_ctr_variants": ("aes", None),
    "aes_ctr_cenc": ("aes", "be64"),
    "aes_ctr_winzip": ("aes", "le128"),
    "aes_ctr_states": ("aes", "be128"),
    "srtp_aes_cm_keystream": ("aes", "be16"),
    "srtp_key_derivation": (None, "be16"),
    "seed_ctr": ("seed", "be128"),
    "seed_ctr_lengths": ("seed", "be128"),
    "seed_ctr_variants": ("seed", None),
    "seed_ctr_srtp_rfc5669": ("seed", "be16"),
    "aria_ctr": ("aria", "be128"),
    "aria_ctr_published": ("aria", "be128"),
    "aria_ctr_srtp_rfc8269": ("aria", "be16"),
    "lea_ctr": ("lea", "be128"),
    "lea_ctr_published": ("lea", "be128"),
    "hight_ctr": ("hight", "be64"),
    "hight_ctr_published": ("hight", "be64"),
}
CFB = {"aes_cfb128": "aes", "seed_cfb128": "seed"}
ECB = {
    "aes_ecb_fips197": "aes",
    "aes_ecb_cavp_kat": "aes",
    "seed_ecb": "seed",
    "aria_ecb": "aria",
    "lea_ecb": "lea",
    "hight_ecb": "hight",
}
BY_KEY = ("aes", "aria", "lea")
# file: cipher
STREAM = {
    "salsa20": "salsa20",
    "salsa20-12": "salsa20-12",
    "salsa20-8": "salsa20-8",
    "rabbit": "rabbit",
    "sosemanuk": "sosemanuk",
    "hc128": "hc-128",
    "trivium": "trivium",
    "grain-128": "grain-128",
    "mickey-128": "mickey-128",
    "lex": "lex",
    "dragon": "dragon",
    "nls": "nls",
    "phelix": "phelix",
    "py": "py",
    "cryptmt": "cryptmt",
    "f-fcsr-h-v1": "f-fcsr-h-v1",
    "f-fcsr-h": "f-fcsr-h",
    "f-fcsr-16": "f-fcsr-16",
    "pomaranch": "pomaranch-v1",
    "edon80": "edon80",
    "decim": "decim",
}
AEGIS = ("128l", "128x2", "128x4", "256", "256x2", "256x4")
# Files of AEADs.
AEAD = (
    *(f"aegis_{cipher}_{what}" for cipher in AEGIS for what in ("lengths", "rfc10032")),
    "aes_ccm_long_aad",
    "aes_ccm_rfc3610",
    "aes_gcm_cavp",
    "aes_gcm_siv_lengths",
    "aes_gcm_siv_rfc8452",
    "aes_gcm_spec",
    "aes_siv_rfc5297",
    "aria_gcm_rfc8269",
    "ascon_aead128_kat",
    "ascon_aead128_options",
    "chacha20_poly1305_rfc8439",
    "grain128aeadv2_kat",
    "grain128aeadv2_lengths",
    "lea_ccm",
    "lea_gcm",
    "seed_ccm_lengths",
    "seed_ccm_rfc5669",
    "seed_gcm_lengths",
    "seed_gcm_rfc5669",
    "wycheproof_aead_aes_siv_cmac",
    "wycheproof_aegis128l",
    "wycheproof_aegis256",
    "wycheproof_aes_ccm",
    "wycheproof_aes_gcm",
    "wycheproof_aes_gcm_siv",
    "wycheproof_aes_siv_cmac",
    "wycheproof_aria_ccm",
    "wycheproof_aria_gcm",
    "wycheproof_ascon_aead128",
    "wycheproof_chacha20_poly1305",
    "wycheproof_seed_ccm",
    "wycheproof_seed_gcm",
    "wycheproof_xchacha20_poly1305",
    "xaes_256_gcm_c2sp",
    "xaes_256_gcm_lengths",
    "xchacha20_draft",
)
AEAD_NAMES = {"Grain-128AEADv2": "grain-128aead-v2"}  # where the file says another
AEAD_FIELDS = ("name", "key", "iv", "aad", "aad_rule", "aad_len", "plaintext", "ciphertext", "tag", "result", "comment")
AEAD_FIELDS += ("mask_key",)
AEAD_THINNED = ("wycheproof", "aes_gcm_cavp", "aes_gcm_siv_lengths", "ascon_aead128_kat", "grain128aeadv2_kat")
AEAD_THINNED += ("xaes_256_gcm_lengths", *(f"aegis_{cipher}_lengths" for cipher in AEGIS))
AEAD_BY_LENGTH = {"aes_gcm_siv_lengths": 512, "ascon_aead128_kat": 16, "grain128aeadv2_kat": 16}  # hexadecimal digits
AEAD_BY_LENGTH |= {"xaes_256_gcm_lengths": 512} | {f"aegis_{cipher}_lengths": 1024 for cipher in AEGIS}
AEAD_LONGEST = 4000  # bytes of text or associated data in hexadecimal


def directory(given: str | None) -> Path:
    return Path(given or os.environ.get("RUNNEL_VECTORS") or ROOT.parent / "shared" / "vectors")


def cipher_name(family: str, key: str, mode: str = "ctr") -> str:
    return f"{family}-{4 * len(key)}-{mode}" if family in BY_KEY else f"{family}-{mode}"


def encrypted_parts(v: dict, field: str) -> str:
    """Return the text without the parts of a sample that stay clear (ISO/IEC 23001-7)."""
    text, position = "", 0
    for part in v.get("subsamples", [{"clear": 0, "encrypted": len(v[field]) // 2}]):
        start = position + part["clear"]
        position = start + part["encrypted"]
        text += v[field][2 * start : 2 * position]
    return text


def vector(cipher: str, source: str, name: str, **fields: object) -> dict:
    name = re.sub(r"\s+", " ", name)
    return {"cipher": cipher, "source": source, "name": name, **{k: v for k, v in fields.items() if v is not None}}


def counter_block(iv: str, bits: int, offset: int, endian: str, n: int) -> str:
    block = bytearray.fromhex(iv)
    field = slice(offset, offset + bits // 8)
    value = (int.from_bytes(block[field], endian) + n) % (1 << bits)
    block[field] = value.to_bytes(bits // 8, endian)
    return block.hex()


def ctr_vectors(path: Path, family: str | None, layout: str | None):
    data = json.loads(path.read_text())
    for v in data["vectors"]:
        its_family = family or v["cipher"].lower()
        cipher, source = cipher_name(its_family, v["key"]), data["source"]
        its_layout = layout
        if layout is None:
            field = (v["counter_bits"], v["counter_offset"], v["counter_endian"])
            its_layout = LAYOUTS.get(field)
            if its_layout is None:  # no such layout in the library: block by block, each with its counter as IV
                for n in range(0, len(v["plaintext"]), 32):
                    yield vector(
                        cipher,
                        source,
                        f"{v['name']}, block {n // 32}",
                        key=v["key"],
                        iv=counter_block(v["iv"], *field, n // 32),
                        input=v["plaintext"][n : n + 32],
                        output=v["ciphertext"][n : n + 32],
                    )
                continue
        yield vector(
            cipher,
            source,
            v["name"],
            key=v["key"],
            iv=v["iv"],
            layout=its_layout,
            input=encrypted_parts(v, "plaintext"),
            output=encrypted_parts(v, "ciphertext"),
        )


def cfb_vectors(path: Path, family: str):
    data = json.loads(path.read_text())
    for v in data["vectors"]:
        yield vector(
            cipher_name(family, v["key"], "cfb"),
            data["source"],
            v["name"],
            key=v["key"],
            iv=v["iv"],
            input=v["plaintext"],
            output=v["ciphertext"],
        )


def ecb_vectors(path: Path, family: str):
    data = json.loads(path.read_text())
    for v in data["vectors"]:
        yield vector(
            cipher_name(family, v["key"]),
            data["source"],
            v["name"],
            key=v["key"],
            layout="ecb",
            input=v["plaintext"],
            output=v["ciphertext"],
        )


def tag_name(family: str, v: dict) -> str:
    """Phelix is another cipher for each length of tag, whether there is a tag or not."""
    return f"{family}-{v['mac_bits']}" if v.get("mac_bits", 128) != 128 else family


def stream_vectors(path: Path, family: str):
    data = json.loads(path.read_text())
    for v in data["vectors"]:
        cipher = tag_name(family, v)
        keystream = [f"{part['offset']} {part['hex']}" for part in v["keystream"]]
        digest = f"{v['message_bytes']} {v['xor_digest']}" if v["xor_digest"] else None
        yield vector(cipher, data["source"], v["name"], key=v["key"], iv=v["iv"], keystream=keystream, digest=digest)
    for v in data.get("aead_vectors", ()):
        if v["aad"] == "" and v["plaintext"] and v["mac_bits"] in (64, 96, 128):
            yield vector(
                tag_name(family, v),
                data["source"],
                v["name"],
                key=v["key"],
                iv=v["nonce"],
                input=v["plaintext"],
                output=v["ciphertext"],
            )


def everything(base: Path):
    """Return all vectors for the ciphers of this project, file by file."""
    for name, (family, layout) in CTR.items():
        yield name, list(ctr_vectors(base / "block" / f"{name}.json", family, layout))
    for name, family in CFB.items():
        yield name, list(cfb_vectors(base / "block" / f"{name}.json", family))
    for name, family in ECB.items():
        yield name, list(ecb_vectors(base / "block" / f"{name}.json", family))
    for name, cipher in STREAM.items():
        yield name, list(stream_vectors(base / "stream" / f"{name}.json", cipher))


def selected(file: str, vectors: list[dict]) -> list[dict]:
    """Select every kind of vector, key size, layout and wrap, but not each of many alike."""
    if file.endswith("_lengths"):
        return [v for v in vectors if v["name"] in {f"len-{n}" for n in (1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 1000)}]
    if file == "aes_ecb_cavp_kat":
        return vectors[::20]
    if file == "aes_ctr_winzip":
        return vectors[:1]
    if file == "aes_ctr_variants":
        return [v for v in vectors if "layout" in v]
    if file in STREAM:
        seen: Counter[tuple] = Counter()
        kept = []
        for v in vectors:
            of_set = (v["name"].split(",")[0], len(v["key"])) if v["name"].startswith("Set") else (v["name"],)
            # The first of a set have an IV of zeros, of which it cannot be seen where they stand.
            kinds = [(v["cipher"], *of_set), (v["cipher"], len(v["iv"]), v["iv"].strip("0") == "")]
            if any(seen[kind] < 2 for kind in kinds):
                kept.append(v)
            seen.update(kinds)
        return kept
    return vectors


def aead_file(base: Path, name: str) -> dict:
    data = json.loads((base / "aead" / f"{name}.json").read_text())
    data["cipher"] = AEAD_NAMES.get(data["cipher"], data["cipher"])
    if data["mode"] == "by entry":  # some are of the cipher alone
        data |= {"mode": "AEAD", "vectors": [v for v in data["vectors"] if v["mode"] == "AEAD"]}
    if data["mode"].startswith("SIV"):
        data |= {"mode": "SIV", "vectors": [each for v in data["vectors"] if (each := siv_vector(v)) is not None]}
    return data


def siv_vector(v: dict) -> dict | None:
    """Return a vector of SIV with the fields of all others: of several strings the first is associated data, a second the
    nonce. None: it has more, or none."""
    if "strings" not in v:
        return {"iv": ""} | v
    strings, output = v["strings"], v["output"]
    if not 1 <= len(strings) <= 2 or strings[1:] == [""]:
        return None
    return v | {"aad": strings[0], "iv": "".join(strings[1:]), "tag": output[:32], "ciphertext": output[32:]}


def selected_aead(name: str, data: dict) -> dict:
    """Select one of each kind: lengths, result, what the source says it tests. Small files are kept whole."""
    kinds, kept = set(), []
    for v in data["vectors"]:
        lengths = [len(v[field]) for field in ("key", "iv", "tag")]
        kind = (*lengths, v["result"], *v.get("flags", ()), re.sub(r"\d+", "", v["comment"])[:30])
        step = AEAD_BY_LENGTH.get(name)
        if step is not None:
            kind += tuple((len(v[field]) // step, len(v[field]) % 32 > 0) for field in ("plaintext", "aad"))
        if max(len(v["plaintext"]), len(v["aad"])) > AEAD_LONGEST:
            continue
        if kind in kinds and name.startswith(AEAD_THINNED):
            continue
        kinds.add(kind)
        kept.append({field: v[field] for field in AEAD_FIELDS if field in v})
    return {field: data[field] for field in ("cipher", "mode", "source")} | {"vectors": kept}


def write_aead(path: Path, data: dict) -> None:
    head = "".join(f"{json.dumps(field)}: {json.dumps(data[field])},\n" for field in ("cipher", "mode", "source"))
    lines = ",\n".join(json.dumps(v) for v in data["vectors"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{{head}"vectors": [\n{lines}\n]}}\n')


def write(path: Path, vectors: list[dict]) -> None:
    """Writes the vectors behind what is in the file above MARK."""
    above = path.read_text().partition(MARK)[0] if path.exists() else "# SPDX-License-Identifier: Apache-2.0 OR MIT\n"
    lines = [above + MARK]
    cipher = source = None
    for v in vectors:
        lines.append("")
        if v["source"] != source:
            lines.append(f"source: {v['source']}")
        if v["cipher"] != cipher:
            lines.append(f"cipher: {v['cipher']}")
        source, cipher = v["source"], v["cipher"]
        for field, value in v.items():
            if field not in ("source", "cipher"):
                lines += [f"{field}: {item}".rstrip() for item in (value if isinstance(value, list) else [value])]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def folder_of(cipher: str) -> Path:
    """Return the cipher's folder: the longest name with which the cipher's begins."""
    folders = [f for parent in ("ciphers", "historic") for f in (SOURCE / parent).iterdir() if f.is_dir()]
    fitting = [f for f in folders if cipher.replace("-", "").startswith(f.name.replace("_", ""))]
    return max(fitting, key=lambda f: len(f.name))


def by_folder(groups: list[tuple[str, list[dict]]]) -> dict[Path, list[dict]]:
    folders: dict[Path, list[dict]] = {}
    for _, vectors in groups:
        for v in vectors:
            folders.setdefault(folder_of(v["cipher"]), []).append(v)
    return folders


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("select", "convert") or (arguments[0] == "convert" and len(arguments) < 2):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    select = arguments[0] == "select"
    rest = arguments[1:] if select else arguments[2:]
    base = directory(rest[0] if rest else None)
    groups = list(everything(base))
    if select:
        groups = [(file, selected(file, vectors)) for file, vectors in groups]
    for folder, vectors in by_folder(groups).items():
        path = (
            ROOT / folder.relative_to(REPOSITORY) / "vectors.txt"
            if select
            else Path(arguments[1]) / f"{folder.name}.txt"
        )
        write(path, vectors)
        print(f"{path}: {len(vectors)} vectors")
    out = ROOT / "tests" / "vectors"
    for name in AEAD if select else ():
        data = selected_aead(name, aead_file(base, name))
        write_aead(out / "aead" / f"{name}.json", data)
        print(f"{out / 'aead' / name}.json: {len(data['vectors'])} vectors")
    if select:
        sys.path.insert(0, str(ROOT / "tests"))
        import file_vectors

        file_vectors.write_selections(base / "aead")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
