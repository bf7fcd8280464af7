// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the library, or takes one that is installed, and asks the C compiler how large its contexts are.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Those whose functions take a context, a key, an IV or a nonce.
const FAMILIES: &[&str] = &[
    "aes_ccm",
    "aes_ctr",
    "aes_gcm",
    "aes_gcm_siv",
    "aes_siv",
    "aria_ccm",
    "aria_ctr",
    "aria_gcm",
    "ascon_aead128",
    "chacha20",
    "chacha20_poly1305",
    "grain128",
    "grain128aead",
    "hc128",
    "hight_ctr",
    "lea_ccm",
    "lea_ctr",
    "lea_gcm",
    "mickey128",
    "rabbit",
    "salsa20",
    "salsa20_12",
    "salsa20_8",
    "seed_ccm",
    "seed_ctr",
    "seed_gcm",
    "sosemanuk",
    "trivium",
    "xchacha20_poly1305",
];

const MARK: &str = "runnel-bytes-of:";
const DIGITS: usize = 7;

fn main() {
    println!("cargo:rerun-if-env-changed=RUNNEL_LIB_DIR");
    println!("cargo:rerun-if-env-changed=RUNNEL_INCLUDE_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=c");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (headers, header) = match (env::var_os("RUNNEL_LIB_DIR"), env::var_os("RUNNEL_INCLUDE_DIR")) {
        (Some(library), Some(headers)) => {
            println!("cargo:rustc-link-search=native={}", Path::new(&library).display());
            println!("cargo:rustc-link-lib=static=runnel");
            (env::split_paths(&headers).collect(), "runnel/runnel.h")
        }
        (None, None) => {
            compile();
            (vec![PathBuf::from("c")], "runnel.h")
        }
        _ => panic!("RUNNEL_LIB_DIR and RUNNEL_INCLUDE_DIR go together"),
    };
    for folder in &headers {
        println!("cargo:include={}", fs::canonicalize(folder).expect("no folder of headers").display());
    }
    fs::write(out.join("contexts.rs"), contexts(&sizes(&out, &headers, header))).expect("cannot write contexts.rs");
}

/// As the library's own build has it: -O2, at which its constant time is tested, in a debug build too.
fn compile() {
    assert!(
        Path::new("c/runnel.c").exists(),
        "c/ is empty: it is filled when the crate is packed, by `packaging/build rust` in Runnel's repository"
    );
    cc::Build::new()
        .files(["c/runnel.c", "c/runnel_asm.S"])
        .include("c")
        .std("c11")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .compile("runnel");
}

/// The compiler writes the sizes into an object as digits, and they are read there: nothing is run, so that this works
/// for another processor too.
fn sizes(out: &Path, headers: &[PathBuf], header: &str) -> Vec<usize> {
    let mut text = format!("#include \"{header}\"\n");
    for family in FAMILIES {
        let mark: String = format!("{MARK}{family}=").chars().map(|each| format!("'{each}',")).collect();
        let digits: String = (0..DIGITS)
            .rev()
            .map(|n| format!("'0'+(char)(sizeof(runnel_{family})/{}%10),", 10_usize.pow(n as u32)))
            .collect();
        writeln!(text, "const char runnel_bytes_of_{family}[] = {{{mark}{digits}0}};").expect("a String takes all");
    }
    let source = out.join("sizes.c");
    fs::write(&source, text).expect("cannot write sizes.c");
    let objects = cc::Build::new()
        .file(&source)
        .includes(headers)
        .std("c11")
        .flag_if_supported("-fno-lto")
        .warnings(false)
        .cargo_metadata(false)
        .compile_intermediates();
    let object = fs::read(&objects[0]).expect("cannot read the object of sizes.c");
    FAMILIES
        .iter()
        .map(|family| {
            let mark = format!("{MARK}{family}=");
            let at = object.windows(mark.len()).position(|window| window == mark.as_bytes());
            let digits = &object[at.expect("no size in the object of sizes.c") + mark.len()..][..DIGITS];
            std::str::from_utf8(digits).expect("digits").parse().expect("digits")
        })
        .collect()
}

fn contexts(sizes: &[usize]) -> String {
    let mut text = String::new();
    for (family, bytes) in FAMILIES.iter().zip(sizes) {
        writeln!(text, "context!(runnel_{family}, runnel_{family}_key, {bytes});").expect("a String takes all");
    }
    text
}
