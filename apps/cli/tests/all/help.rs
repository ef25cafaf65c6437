//! The help of the command.

use crate::common::Folder;

/// The lines of a page of help.
fn help(arguments: &[&str]) -> Vec<String> {
    let ran = Folder::new().run(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out.lines().map(str::to_owned).collect()
}

/// The place of the line that starts with a text.
fn line(page: &[String], start: &str) -> usize {
    let at = page.iter().position(|line| line.trim_start().starts_with(start));
    at.unwrap_or_else(|| panic!("{start}: {}", page.join("\n")))
}

#[test]
fn help_says_first_what_the_program_is_and_shows_edits_models_and_figures() {
    let page = help(&["--help"]);
    assert_eq!(page[0], "Read, check, play, compare and convert keyframe animation exactly");
    let examples = page[line(&page, "Examples:")..line(&page, "Usage:")].join("\n");
    for part in ["dopesheet edit ", "--onto", " -m "] {
        assert!(examples.contains(part), "{part}: {examples}");
    }
}

#[test]
fn options_of_convert_stand_in_groups_with_those_of_every_day_first() {
    let page = help(&["help", "convert"]);
    assert!(page.len() < 150, "{} lines", page.len());
    let headings = [
        "Options:",
        "Models and figures:",
        "Names and looks:",
        "Keys and motion:",
        "Reports:",
        "Many files:",
        "Reading:",
    ];
    let places: Vec<usize> = headings.iter().map(|heading| line(&page, heading)).collect();
    assert!(places.is_sorted(), "{}", page.join("\n"));
    for (option, group) in [
        ("-o, --output", 0),
        ("-m, --model", 0),
        ("--onto", 0),
        ("--tolerance", 0),
        ("--force", 0),
        ("--map", 1),
        ("--contacts", 1),
        ("--show-bones", 2),
        ("--cubic", 3),
        ("--fail-on-loss", 4),
        ("-j, --jobs", 5),
        ("--resume", 5),
        ("--max-memory", 6),
    ] {
        let at = line(&page, option);
        let end = places.get(group + 1).copied().unwrap_or(page.len());
        assert!(places[group] < at && at < end, "{option}");
    }
}

#[test]
fn values_that_are_no_files_are_not_completed_as_files() {
    let script = Folder::new().run(&["completions", "bash"]).out;
    let convert = script.split("dopesheet__subcmd__convert)").nth(1).unwrap_or(&script);
    for option in ["--to)", "--clip)", "--edit)"] {
        let (_, behind) = script.split_once(option).unwrap_or_else(|| panic!("{option}: {convert}"));
        let (values, _) = behind.split_once(";;").unwrap();
        assert!(!values.contains("compgen -f"), "{option}: {values}");
    }
}
