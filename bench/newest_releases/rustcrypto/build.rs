// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hands the versions of Cargo.lock on to the program: VERSION_AES_GCM is "0.11.1".

use std::{env, fs, path::Path};

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("Cargo.lock, which pins what is measured");
    let mut name = "";
    for line in text.lines() {
        if let Some(value) = quoted(line, "name") {
            name = value;
        } else if let Some(value) = quoted(line, "version") {
            println!("cargo::rustc-env=VERSION_{}={value}", name.to_uppercase().replace('-', "_"));
        }
    }
}

fn quoted<'line>(line: &'line str, field: &str) -> Option<&'line str> {
    line.strip_prefix(field)?.strip_prefix(" = \"")?.strip_suffix('"')
}
