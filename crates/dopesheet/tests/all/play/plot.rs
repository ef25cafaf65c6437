//! Pictures of animations.

use dopesheet::{Error, Opened, PlotOptions, ReadOptions, plot};
use dopesheet_testkit::{corpus, workspace};
use roxmltree::{Document, Node};

const SAMPLES: [&str; 5] = ["bow.vmd", "walk.vmd", "camera.vmd", "door.json", "wave.json"];

fn open(name: &str) -> Opened {
    dopesheet::open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn drawn(opened: &Opened, select: Option<&dyn Fn(&str) -> bool>) -> String {
    plot(opened, &PlotOptions { select, ..PlotOptions::default() }).unwrap()
}

/// Groups with a title of the form `target/channel: n keys`, with what is drawn in them.
fn rows<'a>(picture: &'a Document<'a>) -> Vec<(&'a str, usize, Node<'a, 'a>)> {
    let titled = |node: Node<'a, 'a>| {
        let title = node.first_element_child().filter(|c| c.has_tag_name("title"))?.text()?;
        let (name, keys) = title.trim_end_matches('s').strip_suffix(" key")?.rsplit_once(": ")?;
        Some((name, keys.replace(',', "").parse().ok()?, node))
    };
    picture.descendants().filter(|n| n.has_tag_name("g")).filter_map(titled).collect()
}

fn texts<'a>(picture: &'a Document<'a>) -> Vec<&'a str> {
    picture.descendants().filter(|n| n.has_tag_name("text")).filter_map(|n| n.text()).collect()
}

#[test]
fn every_key_of_the_samples_is_drawn() {
    for sample in SAMPLES {
        let opened = open(sample);
        let svg = drawn(&opened, None);
        let picture = Document::parse(&svg).unwrap_or_else(|e| panic!("{sample}: {e}"));
        let rows = rows(&picture);
        let keys: usize = rows.iter().map(|(_, keys, _)| keys).sum();
        let diamonds = |group: &Node<'_, '_>| {
            let filled =
                group.children().filter(|n| n.has_tag_name("path") && n.attribute("fill") != Some("none"));
            filled.filter_map(|n| n.attribute("d")).map(|d| d.matches('z').count()).sum::<usize>()
        };
        for (name, keys, group) in &rows {
            assert_eq!(diamonds(group), *keys, "{sample}: {name}");
        }
        let known: usize = dopesheet::info(&opened).unwrap().clips.iter().map(|clip| clip.keys).sum();
        assert!(keys >= known && keys > 0, "{sample}: {keys} of {known}");
    }
}

#[test]
fn names_are_text_and_times_have_seconds_and_frames() {
    let svg = drawn(&open("bow.vmd"), None);
    let picture = Document::parse(&svg).unwrap();
    let texts = texts(&picture);
    for text in ["センター", "まばたき", "bow.vmd", "0", "3.5", "frame", "120", "step", "held"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn a_law_that_is_cubic_in_time_is_one_curve() {
    let svg = drawn(&open("camera.vmd"), Some(&|name| name == "camera/distance"));
    let picture = Document::parse(&svg).unwrap();
    let paths: Vec<_> = picture.descendants().filter_map(|n| n.attribute("d")).collect();
    let curves: Vec<_> = paths.iter().filter(|d| d.contains('C')).collect();
    assert_eq!(curves.len(), 1, "{paths:?}");
    assert_eq!(curves[0].matches('C').count(), 2, "two of its segments are eased");
    assert!(!texts(&picture).contains(&"light"), "only what is selected");
}

#[test]
fn what_is_not_there_cannot_be_selected() {
    let select = |name: &str| name == "nobody";
    let error =
        plot(&open("bow.vmd"), &PlotOptions { select: Some(&select), ..PlotOptions::default() }).unwrap_err();
    assert!(matches!(error, Error::Usage(_)) && error.to_string().contains("found none"), "{error}");
}

#[test]
fn a_file_with_hundreds_of_targets_stays_readable_and_says_what_is_left_out() {
    let node = |n: usize| {
        format!(
            r#"{{"name":"<bone & \"{n}\">","defaults":{{"r":[0,0,0],"s":[1,1,1]}},"keys":[{{"t":0,"p":[0,0,0]}},{{"t":1,"p":[{n},0,0]}}]}}"#
        )
    };
    let nodes: Vec<String> = (0..500).map(node).collect();
    let json = format!(
        r#"{{"animation":{{"version":4,"name":"crowd","duration":1,"nodes":[{}]}}}}"#,
        nodes.join(",")
    );
    let opened =
        dopesheet::read("crowd.json", json.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap();
    let svg = drawn(&opened, None);
    let picture = Document::parse(&svg).unwrap();
    assert_eq!(rows(&picture).len(), 80);
    let height: f64 = picture.root_element().attribute("height").unwrap().parse().unwrap();
    assert!(height < 3000.0, "{height}");
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
    let note = texts(&picture).into_iter().find(|t| t.starts_with('…')).unwrap().to_owned();
    assert!(
        note.contains("419 channels that move") && note.contains("1,001 channels that never move"),
        "{note}"
    );
}

#[test]
fn every_motion_of_the_corpus_becomes_well_formed_xml() {
    let mut seen = 0;
    for (family, folder) in [("mmd", "vmd"), ("mrtk", ""), ("playcanvas", ""), ("more", ""), ("gltf", "")] {
        let Some(corpus) = corpus(family) else { return };
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(opened) = dopesheet::open(&path, None, &ReadOptions::default()) else { continue };
            if let Ok(svg) = plot(&opened, &PlotOptions::default()) {
                assert!(Document::parse(&svg).is_ok(), "{}", path.display());
                assert!(svg.len() < 3_000_000, "{}: {} bytes", path.display(), svg.len());
                assert!(!svg.contains("NaN") && !svg.contains("inf "), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 80, "{seen} files");
}
