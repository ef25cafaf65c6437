//! The viewer in a window of the system.

use super::Make;
use crate::files::document::Document;
use crate::files::inbox::{Delivery, Inbox};
use crate::files::incoming::Failure;
use crate::files::inputs::Inputs;
use crate::files::unpack;
use crate::status::Status;
use crate::work::{Done, Work};
use dopesheet::core::format::Output;
use dopesheet::{Archive, ReadOptions};
use eframe::egui::{Context, DroppedFileHandle, ViewportBuilder};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::Builder;
use std::time::Instant;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The text of `--help`.
const USAGE: &str = "dopesheet-viewer [FILE]...

Plays, inspects and compares keyframe animation. Files can be given here or dropped on the window; a model that comes with
motions is what they play on.";

/// Opens a window with the files of the command line.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks to its user before there is a window"
)]
pub(crate) fn run(make: Make) -> ExitCode {
    LazyLock::force(&START);
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let options = eframe::NativeOptions {
        viewport: ViewportBuilder::default().with_title("Dopesheet").with_inner_size([1280.0, 720.0]),
        depth_buffer: 24,
        multisampling: 4,
        ..Default::default()
    };
    let inbox = Inbox::default();
    let mut delivery = Delivery::default();
    for path in arguments.iter().map(Path::new) {
        read(path, &mut delivery);
    }
    inbox.put(delivery);
    let result = eframe::run_native("dopesheet", options, Box::new(move |context| Ok(make(context, inbox))));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dopesheet-viewer: cannot open a window with OpenGL: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Opens a file, with the files of its folder that the file needs; or the files in an archive.
fn read(path: &Path, delivery: &mut Delivery) {
    if let Ok(Some(archive)) = Archive::open(path, false) {
        return unpack(&archive, &path.to_string_lossy(), &mut delivery.documents, &mut delivery.failures);
    }
    match dopesheet::open(path, None, &ReadOptions::default()) {
        Ok(opened) => {
            let size = std::fs::metadata(path).ok().and_then(|about| usize::try_from(about.len()).ok());
            delivery.documents.push(Document::new(opened, size.unwrap_or_default()));
        }
        Err(error) => delivery.failures.push(Failure::of(&path.to_string_lossy(), &error)),
    }
}

/// A window has no sample of its own.
pub(crate) fn open_sample(_: &Inbox, _: &Context) {}

/// Takes in the files dropped on the window.
pub(crate) fn take(dropped: Vec<DroppedFileHandle>, inbox: &Inbox, context: &Context) {
    let mut delivery = Delivery::default();
    dropped.iter().for_each(|file| read(file.path(), &mut delivery));
    inbox.put(delivery);
    context.request_repaint();
}

/// A window has no dialog for files: users drop files on the window, or name files on the command line.
pub(crate) const fn choose_files(_: &Inbox, _: &Context) -> bool {
    false
}

/// Writes a file and its resources into the working folder; overwrites nothing. Returns a message with the path, or the reason
/// of a failure.
pub(crate) fn save(name: &str, output: &Output) -> Result<String, String> {
    let path = PathBuf::from(name);
    dopesheet::save::output(&path, output, false).map_err(|error| error.to_string())?;
    Ok(format!("Saved as {}", std::path::absolute(&path).unwrap_or(path).display()))
}

/// Work in progress. Dropped, it leaves the thread to finish, and the result is lost.
pub(crate) struct Running(Receiver<Result<Done, String>>);

impl Running {
    /// The result once the work is done; later calls yield an error.
    pub(crate) fn poll(&self) -> Option<Result<Done, String>> {
        match self.0.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("The work stopped unexpectedly.".to_owned())),
        }
    }
}

/// Starts work in a thread. The error says why there is no thread.
pub(crate) fn start(work: &Work, inputs: &Inputs, context: &Context) -> Result<Running, String> {
    let (sender, receiver) = channel();
    let (work, inputs, context) = (work.clone(), inputs.clone(), context.clone());
    let perform = move || {
        // Nobody may wait for the result any more.
        drop(sender.send(work.perform(&inputs)));
        context.request_repaint();
    };
    let thread = Builder::new().name("work".to_owned()).spawn(perform);
    thread.map(|_| Running(receiver)).map_err(|error| format!("cannot start a thread: {error}"))
}

/// Milliseconds since the start of the program.
pub(crate) fn now_ms() -> f64 {
    START.elapsed().as_secs_f64() * 1e3
}

/// 0: only pages know the size of their memory.
pub(crate) const fn memory() -> f64 {
    0.0
}

/// Only pages publish the status.
pub(crate) fn publish(_: Status) {}

/// Only pages have an address to keep the state in.
pub(crate) const fn remember(_: &str) {}

/// An empty state: only pages have an address.
pub(crate) const fn remembered() -> String {
    String::new()
}

/// A window has the letters of the system.
pub(crate) const fn load_japanese(_: &Context) {}
