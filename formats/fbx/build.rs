//! The functions of C's standard library that ufbx asks for where there is none, in browsers.

fn main() {
    const SOURCE: &str = "src/freestanding.c";
    println!("cargo::rerun-if-changed={SOURCE}");
    let is_wasm = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    if is_wasm && cfg!(feature = "wasm") {
        cc::Build::new().file(SOURCE).compile("freestanding");
    }
}
