//! Makes a web page of a program for wasm32: `xtask-web PROGRAM.wasm FOLDER` writes `viewer.js` and `viewer_bg.wasm` there, and
//! the fonts that the page loads beside them.
//!
//! It stands apart from xtask, which has to build in seconds.
#![allow(clippy::print_stderr, reason = "a command line tool talks to its user")]

use epaint_default_fonts::{EGUI_ICONS, HACK_REGULAR, UBUNTU_LIGHT};
use std::path::Path;
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
    bindgen
        .input_path(program)
        .out_name(NAME)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    let fonts = [("text.ttf", UBUNTU_LIGHT), ("mono.ttf", HACK_REGULAR), ("icons.ttf", EGUI_ICONS)];
    for (name, bytes) in fonts {
        if let Err(error) = std::fs::write(Path::new(folder).join(name), bytes) {
            eprintln!("error: {folder}/{name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
