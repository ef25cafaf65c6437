//! The viewer: plays, inspects and compares keyframe animation of every format that Dopesheet reads, in a window or in a web
//! page.
//!
//! It knows no format: whatever the library opens can be shown. [`viewer::Viewer`] has the parts: the files, the clock, the sight
//! of the scene, the panels, the comparison, and the file that is written. `ui` draws them and listens, `app` is the loop
//! around that, and `platform` has what windows and pages do differently.

mod app;
mod controls;
mod files;
mod fonts;
mod jobs;
mod model;
mod platform;
mod state;
mod status;
mod timing;
mod ui;
mod view;
mod viewer;
mod words;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    platform::run(app::App::boxed)
}
