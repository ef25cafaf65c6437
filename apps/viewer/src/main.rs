//! The viewer: plays, inspects and compares keyframe animation of every format that Dopesheet reads, in a window or in a web
//! page.
//!
//! It knows no format: whatever the library opens can be shown. What is computed stands in modules that know no window;
//! `ui` draws and listens, `platform` is what windows and pages do differently.

mod app;
mod bench;
mod clock;
mod compare;
mod curves;
mod document;
mod export;
mod fonts;
mod inbox;
mod jobs;
mod jump;
mod platform;
mod rows;
mod sheet;
mod state;
mod status;
mod ui;
mod view;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    platform::run()
}
