//! Small files made to hurt: every one is answered soon, in little memory, with a message, and harms neither terminal nor disk.

use crate::common::Folder;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The command.
fn dopesheet() -> &'static str {
    env!("CARGO_BIN_EXE_dopesheet")
}

/// Most seconds of one core that an answer takes here: one is promised of an optimised build on a quiet machine.
const SECONDS: u64 = 5;

/// Most memory in kB that an answer about a file of so many bytes takes: 64 MB and eight times the file.
pub(crate) fn most_memory(bytes: u64) -> u64 {
    64_000 + 8 * bytes / 1000
}

/// Runs the command within limits that the system keeps: it ends a program that has had its time, and gives none more memory.
/// Mapped memory is limited, so that nothing is missed between two looks.
pub(crate) fn run_limited(folder: &Folder, kilobytes: u64, arguments: &[&str]) -> Output {
    let limits = format!("ulimit -t {SECONDS} && ulimit -d {kilobytes} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).env("RAYON_NUM_THREADS", "1").stdin(Stdio::null());
    command.args(["-c", &limits, dopesheet()]).args(arguments).output().unwrap()
}

/// The commands that are tried on a file, each with what belongs behind the file's name.
fn commands(path: &Path) -> Vec<Vec<String>> {
    let name = path.to_str().unwrap();
    let words = |text: &str| text.split(' ').map(|word| word.replace('@', name)).collect::<Vec<_>>();
    if name.ends_with(".m4b") {
        return ["list @", "list -r @", "extract @ -o taken", "info @", "check @", "convert @ -t glb -o out"]
            .map(words)
            .into();
    }
    let mut all: Vec<_> = [
        "info @",
        "info @ --lenient",
        "info @ --json --lenient",
        "check @",
        "check @ --lenient --json",
        "sample @ --lenient --times=-1,0,0.5,1e9",
        "diff @ @ --lenient",
        "plot @ --lenient -o plot.svg",
        "render @ --lenient -o render.png --times 0 --size 16x16",
    ]
    .map(words)
    .into();
    for target in ["bvh", "glb", "vmd", "vrma", "npz@positions", "playcanvas", "unity-anim", "more", "mrtk2"]
    {
        for how in ["", " --lenient", " --lenient --shift", " --lenient --scale 1e10", " --lenient --bake 30"]
        {
            all.push(words(&format!("convert @ -t {target} -o out --force -j 1{how}")));
        }
    }
    all
}

/// Commands that take more than that: parts of their words, by parts of the names of files. docs/reliability.md says so, too.
const TAKE_MORE: [(&str, &[&str]); 2] = [
    // Their work on a chain of joints grows with the square of its depth.
    ("bvh-quadratic", &["diff ", "render ", "--shift", "--scale", "--bake", "-t mrtk2"]),
    // Ten million numbers on frames, which are allowed, take more.
    ("memory-vrma", &["-t bvh", "--bake"]),
];

fn takes_more(file: &str, command: &str) -> bool {
    let mut known = TAKE_MORE.iter().filter(|(name, _)| file.contains(name));
    known.any(|(_, words)| words.iter().any(|word| command.contains(word)))
}

#[test]
fn every_reproducer_is_answered_within_a_second_and_little_memory() {
    let Some(reproducers) = dopesheet_testkit::reproducers() else { return };
    let files =
        dopesheet_testkit::files(&reproducers, &["bvh", "glb", "gltf", "json", "m4b", "npz", "vmd"], 11);
    let mut faults = Vec::new();
    let mut runs = 0;
    for file in files {
        let most = most_memory(std::fs::metadata(&file).unwrap().len());
        for arguments in commands(&file) {
            if takes_more(&file.to_string_lossy(), &arguments.join(" ")) {
                continue;
            }
            let folder = Folder::new();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let ran = run_limited(&folder, most, &arguments);
            runs += 1;
            let said = [ran.stdout, ran.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            // A picture that was written needs no words.
            let has_picture = ["plot.svg", "render.png"].iter().any(|name| folder.path(name).is_file());
            let is_answer = match ran.status.code() {
                Some(0) => has_picture || !said.trim().is_empty(),
                Some(1 | 2) => !said.trim().is_empty(),
                _ => false,
            };
            // Values are data, of which no terminal sees anything here.
            let is_harmless =
                arguments[0] == "sample" || said.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t'));
            if !(is_answer && is_harmless) {
                let shown: String = said.chars().take(200).collect();
                faults.push(format!("{} → {}: {shown:?}", arguments.join(" "), ran.status));
            }
        }
    }
    assert!(runs > 450, "{runs} runs");
    assert!(faults.is_empty(), "{} of {runs}:\n{}", faults.len(), faults.join("\n"));
}

/// A glTF file whose names clear the screen, set the title of the window, and turn the order of what follows.
const ESCAPING: &str = r#"{"asset":{"version":"2.0","generator":"\u001b]0;pwn\u0007G"},
"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"\u001b[2J\u202egpj.\u009b31m"}],
"buffers":[{"byteLength":20,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAA="}],
"bufferViews":[{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":8,"byteLength":12}],
"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},{"bufferView":1,"componentType":5126,"count":1,"type":"VEC3"}],
"animations":[{"name":"\u001b[31manim","samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}"#;

#[test]
fn names_in_a_file_neither_command_the_terminal_nor_turn_a_line() {
    let folder = Folder::new();
    folder.put("a.gltf", ESCAPING.as_bytes());
    folder.put("b\u{1b}[2J\u{202e}.gltf", ESCAPING.as_bytes());
    for arguments in [
        &["info", "a.gltf"][..],
        &["info", "a.gltf", "--json"],
        &["info", "b\u{1b}[2J\u{202e}.gltf"],
        &["check", "a.gltf", "b\u{1b}[2J\u{202e}.gltf"],
        &["convert", "a.gltf", "-o", "a.json", "-t", "playcanvas"],
        &["convert", "b*.gltf", "-o", "out", "-t", "bvh"],
        &["diff", "a.gltf", "b\u{1b}[2J\u{202e}.gltf"],
    ] {
        let ran = folder.run(arguments);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(!said.is_empty(), "{arguments:?}");
        let harmful = said.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t') || *c == '\u{202e}');
        assert_eq!(harmful, None, "{arguments:?}: {said:?}");
    }
    let info = folder.run(&["info", "a.gltf"]);
    assert!(info.out.contains(r"\u001b[31manim"), "{}", info.out);
    let json = folder.run(&["info", "a.gltf", "--json"]).json("info.json").remove(0);
    assert_eq!(json["clips"][0]["name"], "\u{1b}[31manim", "JSON keeps every character");
}

#[test]
fn force_replaces_no_pipe() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe.glb")).status().unwrap().success());
    for force in [&["--force"][..], &[]] {
        let ran = folder.run(&[&["convert", "door.json", "-o", "pipe.glb"], force].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("found a pipe, which is never replaced"), "{}", ran.err);
    }
    assert!(folder.path("pipe.glb").metadata().unwrap().file_type().is_fifo());
    assert!(!folder.names().iter().any(|name| name.ends_with(".part")), "{:?}", folder.names());
}

#[test]
fn a_pipe_is_read_only_when_asked_and_a_device_without_end_ends_at_the_limit() {
    let folder = Folder::new();
    let started = Instant::now();
    let refused = folder.run(&["info", "/dev/zero"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("found a device (--pipes reads"), "{}", refused.err);
    let ended = folder.run(&["info", "/dev/zero", "--pipes", "--max-memory", "2MB"]);
    assert_eq!(ended.code, Some(1));
    let said = "at most 2000000 bytes (the limit), found more; --max-memory allows more";
    assert!(ended.err.contains(said), "{}", ended.err);
    assert!(started.elapsed() < Duration::from_secs(20));
    let long = vec![b' '; 3_000_000];
    let standard = folder.run_with_input(&["info", "-", "--max-memory", "2MB"], &long);
    assert!(standard.err.contains("standard input") && standard.err.contains(said), "{}", standard.err);
    assert!(Command::new("mkfifo").arg(folder.path("in.json")).status().unwrap().success());
    let (door, pipe) = (folder.get("door.json"), folder.path("in.json"));
    let writer = std::thread::spawn(move || std::fs::write(pipe, door));
    let read = folder.run(&["info", "in.json", "--pipes"]);
    assert_eq!(read.code, Some(0), "{}", read.err);
    writer.join().unwrap().unwrap();
    // Without --pipes nobody waits for a writer.
    assert_eq!(folder.run(&["info", "in.json"]).code, Some(1));
}

#[test]
fn a_buffer_that_a_link_takes_out_of_its_folder_is_not_read() {
    let folder = Folder::new();
    let model = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":6,"uri":"data.bin"}],"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"}]}"#;
    folder.put("model/a.gltf", model.as_bytes());
    folder.put("secret", b"secret");
    symlink(folder.path("secret"), folder.path("model/data.bin")).unwrap();
    let outside = folder.run(&["convert", "model/a.gltf", "-o", "a.glb"]);
    let written = std::fs::read(folder.path("a.glb")).unwrap_or_default();
    assert!(!written.windows(6).any(|bytes| bytes == b"secret"), "{}", outside.err);
    folder.put("model/own", b"secret");
    std::fs::remove_file(folder.path("model/data.bin")).unwrap();
    symlink("own", folder.path("model/data.bin")).unwrap();
    let inside = folder.run(&["convert", "model/a.gltf", "-o", "b.glb"]);
    assert_eq!(inside.code, Some(0), "{}", inside.err);
    assert!(folder.get("b.glb").windows(6).any(|bytes| bytes == b"secret"));
}

#[test]
fn help_that_cannot_be_written_has_failed() {
    for arguments in [&["--help"][..], &["convert", "--help"], &["--version"], &["formats"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = Command::new(dopesheet()).args(arguments).stdout(full).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("standard output: "), "{arguments:?}");
    }
    let ran = Folder::new().run(&["--help"]);
    assert!(ran.code == Some(0) && ran.out.contains("Usage"), "{}", ran.err);
    assert_eq!(Folder::new().run(&["nonsense"]).code, Some(2));
}

/// Unfinished files below a folder.
fn unfinished(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.ends_with(".part")).collect()
}

#[test]
fn a_run_that_is_interrupted_leaves_no_unfinished_file() {
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let folder = Folder::new();
        // The first file takes long, and those that are ready meanwhile wait for it on the disk.
        folder
            .put("in/0.json", crate::common::DOOR.replace("\"duration\":1", "\"duration\":6000").as_bytes());
        for index in 1..20 {
            folder.put(&format!("in/{index}.json"), crate::common::DOOR.as_bytes());
        }
        let mut command = Command::new(dopesheet());
        command.current_dir(folder.path("")).args([
            "convert",
            "in/*.json",
            "-t",
            "bvh",
            "-o",
            "out",
            "-j",
            "2",
        ]);
        let mut run = command.args(["--max-frames", "1000000", "-q"]).spawn().unwrap();
        let started = Instant::now();
        while unfinished(&folder).is_empty() && run.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is being written");
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([format!("-{name}"), run.id().to_string()]).status().unwrap();
        assert!(sent.success(), "the run was over too soon");
        assert_eq!(run.wait().unwrap().signal(), Some(number), "SIG{name}");
        assert_eq!(unfinished(&folder), Vec::<String>::new(), "SIG{name}");
    }
}
