// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Builds libcrypto.a from the source that openssl-src carries.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let artifacts = openssl_src::Build::new().build();
    println!("cargo::rustc-link-search=native={}", artifacts.lib_dir().display());
}
