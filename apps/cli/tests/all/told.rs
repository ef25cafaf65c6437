//! The report of a conversion as a person reads it.

use crate::common::{Folder, motion};
use dopesheet_testkit::workspace;

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["bow.vmd", "walk.vmd", "hands.bin"] {
        folder.put(name, &std::fs::read(workspace().join("samples").join(name)).unwrap());
    }
    folder
}

/// The lines that are no warnings.
fn plain(err: &str) -> Vec<&str> {
    err.lines().filter(|line| !line.starts_with("warning: ")).collect()
}

#[test]
fn a_report_has_at_most_three_lines_and_one_for_each_code_of_a_warning() {
    let folder = folder();
    let conversions: [&[&str]; 6] = [
        &["bow.vmd", "-o", "bow.glb"],
        &["bow.vmd", "-o", "bow.vrma"],
        &["bow.vmd", "-m", "standard", "-o", "figure.glb"],
        &["walk.vmd", "bow.vmd", "-m", "standard", "-o", "both.glb"],
        &["hands.bin", "-o", "hands.vmd"],
        &["bow.vmd", "-o", "copy.vmd"],
    ];
    for options in conversions {
        let ran = folder.run(&[&["convert"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let lines = plain(&ran.err);
        assert!(lines.len() <= 3 && lines[0].contains(" -> "), "{}", ran.err);
        let warnings = ran.err.lines().skip(lines.len()).filter(|line| line.starts_with("warning: "));
        assert_eq!(
            warnings.count() + lines.len(),
            ran.err.lines().count(),
            "warnings come last: {}",
            ran.err
        );
        let mut codes: Vec<&str> =
            ran.err.lines().filter_map(|line| Some(line.rsplit_once('[')?.1)).collect();
        let all = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), all, "{}", ran.err);
    }
}

#[test]
fn a_motion_is_called_exact_where_nothing_in_json_is_approximated() {
    let folder = Folder::new();
    let mut exact = Vec::new();
    for (input, output) in [("line.vmd", "line.glb"), ("bow.vmd", "bow.glb"), ("bow.vmd", "bow.bvh")] {
        let ran = folder.run(&["convert", input, "-o", output, "--partial", "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let report = &ran.json("convert-report.json")[0];
        let is_exact = report["approximated"].as_array().unwrap().is_empty();
        assert_eq!(ran.err.lines().any(|line| line == "  exact"), is_exact, "{}", ran.err);
        exact.push(is_exact);
    }
    assert!(exact.contains(&true) && exact.contains(&false), "{exact:?}");
}

#[test]
fn a_document_is_called_as_read_only_if_nothing_changed_it() {
    let folder = folder();
    folder.put("names.json", r#"{"センター": "Root"}"#.as_bytes());
    let renamed = folder.run(&["edit", "bow.vmd", "-e", "rename names.json", "-o", "renamed.vmd"]);
    let copied = folder.run(&["convert", "bow.vmd", "-o", "copy.vmd"]);
    for (ran, output, is_same) in [(renamed, "renamed.vmd", false), (copied, "copy.vmd", true)] {
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(folder.get(output) == folder.get("bow.vmd"), is_same, "{output}");
        assert_eq!(ran.err.contains("as it was read"), is_same, "{}", ran.err);
    }
}

#[test]
fn lists_in_a_report_end_after_eight_names_unless_all_is_wanted() {
    let folder = folder();
    let brief = folder.run(&["convert", "walk.vmd", "-o", "walk.vrma"]).err;
    let full = folder.run(&["convert", "walk.vmd", "-o", "walk.vrma", "--force", "--verbose"]).err;
    assert!(!brief.contains("rightLittleDistal from"), "{brief}");
    assert!(full.contains("rightLittleDistal from") && full.contains("kept: rotation: "), "{full}");
    assert!(full.lines().count() > brief.lines().count());
}

#[test]
fn what_a_rig_does_between_frames_is_no_second_at_most() {
    let folder = folder();
    let convert = ["convert", "walk.vmd", "-m", "standard", "-o", "walk.glb", "--force"];
    let brief = folder.run(&convert).err;
    let lines: Vec<&str> = brief.lines().filter(|line| line.contains("between two frames")).collect();
    assert_eq!(lines.len(), 1, "{brief}");
    assert!(lines[0].ends_with("; between two frames 右足 may take another way"), "{brief}");
    let full = folder.run(&[&convert[..], &["--verbose", "--json"]].concat());
    let said = full.err.lines().find(|line| line.contains("rig: solved for")).unwrap();
    assert!(!said.contains("at most") && said.contains("it may differ by up to"), "{said}");
    let report = &full.json("convert-report.json")[0];
    let of_rig = |loss: &&serde_json::Value| loss["what"].as_str().unwrap().starts_with("rig: ");
    let losses = report["approximated"].as_array().unwrap();
    assert_eq!(losses.iter().find(of_rig).unwrap()["between_frames"], true, "{report}");
    assert!(losses.iter().filter(|loss| !of_rig(loss)).all(|loss| loss.get("between_frames").is_none()));
}

#[test]
fn quiet_does_not_hide_that_a_tolerance_was_exceeded() {
    let folder = folder();
    let ran = folder.run(&["convert", "hands.bin", "-o", "hands.vmd", "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(
        ran.err.starts_with("warning: hands.bin: ") && ran.err.contains("[tolerance-exceeded]"),
        "{}",
        ran.err
    );
}

#[test]
fn a_tolerance_that_was_asked_for_and_cannot_be_kept_fails() {
    let folder = folder();
    let convert = ["convert", "hands.bin", "-o", "hands.vmd", "--report", "report.json", "--tolerance"];
    let ran = folder.run(&[&convert[..], &["0.1mm"]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("nothing was written, because of tolerance-exceeded: "), "{}", ran.err);
    assert!(ran.err.contains("a larger --tolerance") && !folder.path("hands.vmd").exists(), "{}", ran.err);
    let report: serde_json::Value = serde_json::from_slice(&folder.get("report.json")).unwrap();
    assert_eq!(report["findings"][0]["code"], "tolerance-exceeded", "{report}");
    let ran = folder.run(&["convert", "bow.vmd", "-o", "bow.glb", "--tolerance", "1mm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn frames_and_bakes_that_do_not_keep_a_tolerance_fail_and_name_a_rate_that_does() {
    let folder = folder();
    for (output, bake) in [("bow.bvh", &[][..]), ("bow.glb", &["--bake", "24"])] {
        let convert = ["convert", "bow.vmd", "-o", output, "--tolerance", "1mm"];
        let ran = folder.run(&[&convert[..], bake].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("nothing was written, because of tolerance-exceeded: "), "{}", ran.err);
        assert!(!folder.path(output).exists());
        let rate = ran.err.split("is too few, try --bake ").nth(1).and_then(|rest| rest.split(',').next());
        let rate = rate.unwrap_or_else(|| panic!("{}", ran.err));
        let ran = folder.run(&[&convert[..], &["--bake", rate]].concat());
        assert_eq!(ran.code, Some(0), "{rate}: {}", ran.err);
    }
}

#[test]
fn losses_that_are_forbidden_fail_and_write_nothing() {
    let folder = folder();
    let convert = |codes: &str| {
        folder.run(&["convert", "bow.vmd", "-o", "bow.glb", "--force", "--fail-on-loss", codes])
    };
    for codes in ["hierarchy-unknown", "unbound-track,hierarchy-unknown", "approximated"] {
        let ran = convert(codes);
        assert_eq!(ran.code, Some(1), "{codes}: {}", ran.err);
        assert!(!folder.path("bow.glb").exists(), "{codes}");
    }
    let ran = convert("mmd-truncted");
    assert_eq!(ran.code, Some(2), "a code that is none forbids nothing: {}", ran.err);
    assert!(ran.err.contains("found \"mmd-truncted\""), "{}", ran.err);
    assert_eq!(convert("dropped,tolerance-exceeded").code, Some(0));
    let ran = folder.run(&[
        "convert",
        "bow.vmd",
        "-o",
        "bow.json",
        "-t",
        "playcanvas",
        "--fail-on-loss",
        "dropped",
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("because of dropped: ") && ran.err.contains("4 enabled keys"), "{}", ran.err);
}

#[test]
fn a_batch_says_each_failure_and_a_summary() {
    let folder = folder();
    for name in ["a", "b", "c"] {
        folder.put(&format!("in/{name}.vmd"), &folder.get("bow.vmd"));
    }
    folder.put("in/d.vmd", &motion([20, 20, 107, 107])[..200]);
    let batch = ["convert", "in/*.vmd", "-t", "glb", "-o", "out/", "--force"];
    let ran = folder.run(&batch);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!ran.err.contains(" -> "), "no line for a file that is done: {}", ran.err);
    let of = |word: &str| ran.err.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(
        (of("error: in/d.vmd: "), of("warning: in/a.vmd: "), of("largest error: ")),
        (1, 1, 1),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("[hierarchy-unknown] (and 2 other files)"), "{}", ran.err);
    assert!(ran.err.contains("3 done, 1 failed"), "{}", ran.err);
    let full = folder.run(&[&batch[..], &["--verbose"]].concat()).err;
    assert_eq!(full.matches(" -> ").count(), 3, "{full}");
}

#[test]
fn what_two_motions_lose_of_one_model_is_counted_and_said_once() {
    let folder = folder();
    let ran =
        folder.run(&["convert", "walk.vmd", "bow.vmd", "-m", "standard", "-o", "both.glb", "--verbose"]);
    let rigs: Vec<&str> = ran.err.lines().filter(|line| line.contains("rig: solved for")).collect();
    assert!(rigs.len() == 1 && rigs[0].contains("(2 times)"), "{}", ran.err);
}

/// Output of a command as a person at a terminal sees it; `None`, loudly, where no program makes a pseudo-terminal.
#[cfg(target_os = "linux")]
fn seen_on_a_terminal(folder: &Folder, arguments: &str) -> Option<String> {
    let command =
        format!("stty cols 100; {} {arguments}", assert_cmd::cargo::cargo_bin!("dopesheet").display());
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR");
    match script.current_dir(folder.path("")).stdin(std::process::Stdio::null()).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            dopesheet_testkit::note_skip(&format!("a terminal, which `script` makes: {error}"));
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_batch_on_a_terminal_has_colours_a_bar_of_whole_numbers_and_a_line_for_each_failed_file() {
    let folder = folder();
    for index in 0..60 {
        folder.put(&format!("in/{index:02}.vmd"), &motion([20, 20, 100, 100]));
    }
    // A name that would clear the screen.
    folder.put("in/bad\u{1b}[2J.vmd", b"Vocaloid");
    folder.put("in/cut.vmd", &motion([20, 20, 100, 100])[..200]);
    let Some(seen) = seen_on_a_terminal(&folder, "convert 'in/*.vmd' -t glb -o out") else { return };
    let errors = seen.matches("\x1b[1;31merror:\x1b[0m in/").count();
    assert_eq!(errors, 2, "{seen}");
    assert!(!seen.contains("\\u001b[1;31m"), "no colour is shown as a text: {seen}");
    assert!(seen.contains("in/bad\\u001b[2J.vmd") && !seen.contains("bad\x1b[2J"), "{seen}");
    let bars: Vec<&str> = seen.split('\r').filter(|line| line.contains("/s, ")).collect();
    assert!(!bars.is_empty(), "{seen}");
    for bar in bars {
        let rate = bar.split(", ").nth(1).and_then(|rate| rate.strip_suffix("/s")).unwrap_or(bar);
        assert!(rate.rsplit_once('.').is_none_or(|(_, digits)| digits.len() < 2), "{bar}");
    }
    let end = seen.rsplit_once("failed: ").expect("a summary").1;
    assert!(end.contains("60 done, 2 failed"), "{end}");
}

#[cfg(target_os = "linux")]
#[test]
fn warnings_on_a_terminal_come_last_and_in_yellow() {
    let folder = folder();
    let Some(seen) = seen_on_a_terminal(&folder, "convert hands.bin -o hands.vmd") else { return };
    let (result, warnings) = seen.trim_start().split_once("\x1b[1;33mwarning:\x1b[0m ").expect("a warning");
    assert!(result.starts_with("hands.bin -> ") && !warnings.contains("\n  "), "{seen}");
}
