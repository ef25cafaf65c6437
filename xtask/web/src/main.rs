//! Makes a web page of a program for wasm32: `xtask-web PROGRAM.wasm FOLDER` writes `viewer.js` and `viewer_bg.wasm` there.
//!
//! It stands apart from xtask, which has to build in seconds.
#![allow(clippy::print_stderr, reason = "a command line tool talks to its user")]

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

/// What the page's script loads.
const NAME: &str = "viewer";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, folder] = &arguments[..] else {
        eprintln!("expected PROGRAM.wasm FOLDER, found {arguments:?}");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(NAME).typescript(false).remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
