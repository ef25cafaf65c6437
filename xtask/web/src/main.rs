//! The JavaScript around a module for browsers: `xtask-web NAME MODULE.wasm FOLDER [fonts]` writes `NAME.js` and
//! `NAME_bg.wasm`, and with `fonts` those that egui is written with.
//!
//! It stands apart from xtask, which has to build in seconds. As a library, `wasm-bindgen` has the version that the modules
//! were built with: that of `Cargo.lock`.
#![allow(clippy::print_stderr, reason = "a command line tool talks to its user")]

mod order;

use epaint_default_fonts::{EGUI_ICONS, HACK_REGULAR, UBUNTU_LIGHT};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [name, module, folder] => script(name, module, folder),
        [name, module, folder, "fonts"] => script(name, module, folder).and_then(|()| fonts(folder)),
        _ => {
            eprintln!("expected NAME MODULE.wasm FOLDER [fonts], found {arguments:?}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn script(name: &str, module: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false);
    bindgen.remove_name_section(false).remove_producers_section(true);
    // Bundlers find the module by the path that stands in the script.
    bindgen.omit_default_module_path(false);
    bindgen.web(true)?.generate(folder)?;
    let written = Path::new(folder).join(format!("{name}_bg.wasm"));
    let module = std::fs::read(&written)?;
    Ok(std::fs::write(written, order::by_name(&module)?)?)
}

/// Fonts that the viewer's page loads, see `apps/viewer/src/platform/web.rs`.
fn fonts(folder: &str) -> Result<(), Box<dyn Error>> {
    for (name, bytes) in [("text.ttf", UBUNTU_LIGHT), ("mono.ttf", HACK_REGULAR), ("icons.ttf", EGUI_ICONS)] {
        std::fs::write(Path::new(folder).join(name), bytes)
            .map_err(|error| format!("{folder}/{name}: {error}"))?;
    }
    Ok(())
}
