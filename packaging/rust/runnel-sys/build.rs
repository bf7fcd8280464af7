// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the library, or takes one that is installed, and asks the C compiler how large its contexts are.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "runnel-bytes-of:";
const DIGITS: usize = 7;

fn main() {
    println!("cargo:rerun-if-env-changed=RUNNEL_LIB_DIR");
    println!("cargo:rerun-if-env-changed=RUNNEL_INCLUDE_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (headers, header) = match (env::var_os("RUNNEL_LIB_DIR"), env::var_os("RUNNEL_INCLUDE_DIR")) {
        (Some(library), Some(headers)) => {
            println!("cargo:rustc-link-search=native={}", Path::new(&library).display());
            println!("cargo:rustc-link-lib=static=runnel");
            let headers: Vec<PathBuf> = env::split_paths(&headers).collect();
            watch(Path::new(&library), &headers);
            (headers, "runnel/runnel.h")
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
    let families = families(&out, &headers, header);
    let sizes = sizes(&out, &headers, header, &families);
    fs::write(out.join("contexts.rs"), contexts(&families, &sizes)).expect("cannot write contexts.rs");
}

/// Cargo looks at the installed library and at our headers. It would run this script each time for a file that is not
/// there, and look through all of /usr/include if it were told to.
fn watch(library: &Path, headers: &[PathBuf]) {
    let libraries = ["librunnel.a", "runnel.lib"].map(|name| library.join(name));
    for path in libraries.into_iter().chain(headers.iter().map(|folder| folder.join("runnel"))) {
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
}

/// As the library's own build has it: -O2, at which its constant time is tested, in a debug build too.
fn compile() {
    println!("cargo:rerun-if-changed=c");
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

/// A compiler for a small file of ours that includes the header; nothing of it is linked.
fn small(source: &Path, text: &str, headers: &[PathBuf]) -> cc::Build {
    fs::write(source, text).expect("cannot write a file of C");
    let mut build = cc::Build::new();
    build.file(source).includes(headers).std("c11").flag_if_supported("-fno-lto").warnings(false).cargo_metadata(false);
    build
}

/// All `runnel_NAME` with a function `runnel_NAME_key` for a context of that type, as the header declares them.
fn families(out: &Path, headers: &[PathBuf], header: &str) -> Vec<String> {
    let expanded = small(&out.join("header.c"), &format!("#include \"{header}\"\n"), headers).expand();
    let text = String::from_utf8_lossy(&expanded);
    let without_markers = text.lines().filter(|line| !line.starts_with('#'));
    let text = without_markers.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let mut found: Vec<String> = text
        .match_indices("_key(runnel_")
        .filter_map(|(at, _)| {
            let name = text[..at].rsplit(|each: char| !each.is_ascii_alphanumeric() && each != '_').next()?;
            let rest = &text[at + "_key(".len()..];
            rest.starts_with(&format!("{name} *c, const uint8_t *key, size_t key_bytes)")).then(|| name.to_owned())
        })
        .collect();
    found.sort();
    found.dedup();
    assert!(!found.is_empty(), "no function of the header sets a key");
    found
}

/// The compiler writes the sizes into an object as digits, and they are read there: nothing is run, so that this works
/// for another processor too.
fn sizes(out: &Path, headers: &[PathBuf], header: &str, families: &[String]) -> Vec<usize> {
    let mut text = format!("#include \"{header}\"\n");
    for family in families {
        let mark: String = format!("{MARK}{family}=").chars().map(|each| format!("'{each}',")).collect();
        let digits: String =
            (0..DIGITS).rev().map(|n| format!("'0'+(char)(sizeof({family})/{}%10),", 10_usize.pow(n as u32))).collect();
        writeln!(text, "const char bytes_of_{family}[] = {{{mark}{digits}0}};").expect("a String takes all");
    }
    let objects = small(&out.join("sizes.c"), &text, headers).compile_intermediates();
    let object = fs::read(&objects[0]).expect("cannot read the object of sizes.c");
    families
        .iter()
        .map(|family| {
            let mark = format!("{MARK}{family}=");
            let at = object.windows(mark.len()).position(|window| window == mark.as_bytes());
            let digits = &object[at.expect("no size in the object of sizes.c") + mark.len()..][..DIGITS];
            std::str::from_utf8(digits).expect("digits").parse().expect("digits")
        })
        .collect()
}

fn contexts(families: &[String], sizes: &[usize]) -> String {
    let mut text = String::new();
    for (family, bytes) in families.iter().zip(sizes) {
        writeln!(text, "context!({family}, {family}_key, {bytes});").expect("a String takes all");
    }
    text
}
