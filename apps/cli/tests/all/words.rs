//! Messages for people: lengths in a unit that suits them, one of a thing in the singular.

use crate::common::{DOOR, Folder};

/// Asserts that a text has no counts like "1 channels", and no numbers with exponents or without their unit.
fn assert_plain(text: &str, command: &[&str]) {
    let words: Vec<&str> =
        text.split([' ', '\n', ',', ';', '(', ')']).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        assert!(
            !(pair[0] == "1" && pair[1].len() > 1 && pair[1].ends_with('s')),
            "{command:?}: {pair:?} in {text}"
        );
        assert!(pair != ["1", "off"] && pair != ["rad", "off"], "{command:?}: {pair:?} in {text}");
    }
    let exponent = |word: &&str| word.contains("e-") && word.starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(words.iter().find(|word| exponent(word)), None, "{command:?}: {text}");
}

#[test]
fn lengths_have_a_unit_that_suits_them_also_where_the_files_unit_is_unknown() {
    let folder = Folder::new();
    let commands: [&[&str]; 5] = [
        &["convert", "bow.vmd", "-o", "bow.glb"],
        &["convert", "bow.vmd", "-o", "bow.glb", "--force", "--verbose"],
        &["convert", "bow.vmd", "-o", "bow.json"],
        &["convert", "camera.vmd", "line.vmd", "-o", "both.glb"],
        &["diff", "bow.vmd", "bow.glb", "--tolerance", "1um"],
    ];
    for command in commands {
        let ran = folder.run(command);
        let said = ran.out + &ran.err;
        assert_plain(&said, command);
    }
    let ran = folder.run(&["convert", "bow.vmd", "-o", "bow.json", "--force", "--json", "--verbose"]);
    let report = &ran.json("convert-report.json")[0];
    let approximated = report["approximated"].as_array().unwrap();
    assert!(!approximated.is_empty(), "{report}");
    for loss in approximated {
        let (length, unit) = match loss.get("bound") {
            Some(bound) => (bound, &loss["unit"]),
            None => (&loss["max_error"]["value"], &loss["max_error"]["unit"]),
        };
        assert_eq!(unit, "m", "{loss}");
        assert!(length.as_f64().unwrap() < 2e-4, "numbers for programs stay as they are: {loss}");
    }
    assert!(ran.err.contains("at most 0.096 mm off, by its bound"), "{}", ran.err);
}

#[test]
fn one_of_a_thing_is_singular_in_every_verb() {
    let folder = Folder::new();
    folder.put("wide.json", DOOR.replace("[0,90,0]", "[0,100,0]").as_bytes());
    folder.put("in/door.json", DOOR.as_bytes());
    folder.put("in/wide.json", DOOR.as_bytes());
    let commands: [&[&str]; 8] = [
        &["info", "door.json"],
        &["info", "bow.vmd", "-m", "frame.gltf"],
        &["check", "door.json", "bow.vmd"],
        &["convert", "door.json", "-o", "door.glb"],
        &["convert", "in/*.json", "-t", "glb", "-o", "out/"],
        &["diff", "door.json", "wide.json"],
        &["sample", "bow.vmd", "-m", "frame.gltf", "--times", "0", "-o", "bow.csv"],
        &["plot", "door.json", "-o", "-"],
    ];
    for command in commands {
        let ran = folder.run(command);
        assert_plain(&(ran.out + &ran.err), command);
    }
    let said = folder.run(&["info", "door.json"]).out;
    assert!(said.contains("1 track, ") && said.contains("findings: none"), "{said}");
    let said = folder.run(&["convert", "door.json", "-o", "door.glb", "--force", "--verbose"]).err;
    assert!(said.contains("1 channel, 2 keys"), "{said}");
}
