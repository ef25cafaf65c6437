//! Things by their English names.
#![cfg(all(feature = "mmd", feature = "gltf"))]

use dopesheet::core::diag::Report;
use dopesheet::core::format::{Format, Source, ToScene, WriteOptions};
use dopesheet::core::model::Scene;
use dopesheet::{Conversion, ConvertOptions, Opened, ReadOptions, convert, names::Language, open};
use dopesheet_gltf::{Glb, Vrma};
use dopesheet_mmd::pmx::{Document, Encoding, Text};
use dopesheet_mmd::{Pmx, Vmd};
use dopesheet_testkit::workspace;

fn bow() -> Opened {
    open(&workspace().join("samples/bow.vmd"), None, &ReadOptions::default()).unwrap()
}

/// Our puppet after a change of its document.
fn puppet(change: impl Fn(&mut Document)) -> Opened {
    let bytes = std::fs::read(workspace().join("crates/dopesheet/src/standard/standard.pmx")).unwrap();
    let mut document = dopesheet_testkit::read::<Pmx>(&bytes);
    change(&mut document);
    let bytes = Pmx::write(&document, &WriteOptions::default()).unwrap().main;
    dopesheet::read("puppet.pmx", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn text(text: &str) -> Text {
    Text::new(text, Encoding::Utf16)
}

fn call(document: &mut Document, own: &str, english: &str) {
    let own = text(own);
    let bones = document.bones.iter_mut().map(|bone| (&bone.name, &mut bone.english_name));
    let morphs = document.morphs.iter_mut().map(|morph| (&morph.name, &mut morph.english_name));
    let materials = document.materials.iter_mut().map(|own| (&own.name, &mut own.english_name));
    let found: Vec<_> = bones.chain(morphs).chain(materials).filter(|(name, _)| **name == own).collect();
    assert_eq!(found.len(), 1);
    found.into_iter().for_each(|(_, place)| *place = text(english));
}

fn converted(model: Option<&Opened>, options: ConvertOptions<'_>) -> (Conversion, Scene) {
    let to = options.to;
    let made = convert(&[bow()], &ConvertOptions { model, language: Language::English, ..options }).unwrap();
    let source = Source::new(&made.output.main);
    let document = to.read(&source, &ReadOptions::default(), &mut Report::default()).unwrap();
    let scene = to.to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
    (made, scene)
}

fn said(made: &Conversion, code: &str) -> Vec<String> {
    let findings = made.report.report.findings.iter().filter(|finding| finding.fault.code == code);
    findings.map(|finding| finding.fault.to_string()).collect()
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

#[test]
fn everything_of_the_puppet_has_an_english_name() {
    let standard = dopesheet::puppet::standard_model().unwrap();
    let (made, scene) = converted(Some(&standard), ConvertOptions::to(&Glb));
    let all = scene.nodes.iter().map(|node| &node.name);
    let all = all.chain(scene.materials.iter().map(|own| &own.name));
    let all = all
        .chain(scene.morph_sets.iter().flat_map(|set| &set.morphs))
        .chain(scene.meshes.iter().map(|own| &own.name));
    let foreign: Vec<_> = all.filter(|name| !name.is_ascii()).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    for name in ["mother", "center", "head", "wrist_L", "Dopesheet"] {
        assert!(names(&scene).contains(&name), "{name}: {:?}", names(&scene));
    }
    assert_eq!(said(&made, "english-name-missing"), [""; 0]);
    let moved: Vec<_> = scene.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
    assert!(moved.contains(&"head") && moved.iter().all(|name| name.is_ascii()), "{moved:?}");
}

#[test]
fn what_has_none_keeps_its_own_and_what_shares_one_gets_a_number() {
    let model = puppet(|document| {
        call(document, "頭", " ");
        call(document, "まばたき", "");
        for knee in ["左ひざ", "右ひざ"] {
            call(document, knee, "knee");
        }
        call(document, "首", "頭");
    });
    let (made, scene) = converted(Some(&model), ConvertOptions::to(&Glb));
    let names = names(&scene);
    for name in ["頭", "頭_1", "knee", "knee_1"] {
        assert_eq!(names.iter().filter(|own| **own == name).count(), 1, "{name}: {names:?}");
    }
    assert!(scene.morph_sets[0].morphs.contains(&"まばたき".to_owned()));
    assert_eq!(
        said(&made, "english-name-missing"),
        [
            "file: expected an English name for every node, morph and material, found none for 1 node (頭); 1 morph (まばたき), which keep their own"
        ]
    );
    assert_eq!(
        said(&made, "english-name-repeated"),
        [
            "file: expected English names that differ, found 2 nodes with a number (頭_1 from 首, knee_1 from 右ひざ)"
        ]
    );
}

#[test]
fn a_motion_alone_has_the_names_of_the_puppet() {
    let (_, glb) = converted(None, ConvertOptions::to(&Glb));
    assert!(names(&glb).contains(&"upper body2") && names(&glb).iter().all(|name| name.is_ascii()));
    let (_, vmd) = converted(None, ConvertOptions::to(&Vmd));
    let tracks: Vec<_> = vmd.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
    assert!(tracks.contains(&"upper body2") && tracks.iter().all(|name| name.is_ascii()), "{tracks:?}");
}

#[test]
fn bones_of_a_figure_are_found_before_they_are_renamed() {
    let (made, english) = converted(None, ConvertOptions::to(&Vrma));
    let original = convert(&[bow()], &ConvertOptions::to(&Vrma)).unwrap();
    let bones = |made: &Conversion| {
        let kept = made.report.report.losses.iter().map(|loss| format!("{loss:?}"));
        kept.filter(|loss| loss.contains("bones of a humanoid")).collect::<Vec<_>>()
    };
    assert_eq!(bones(&made), bones(&original));
    let faces = english.humanoid.unwrap().expressions;
    let faces: Vec<_> = faces.iter().map(|face| face.name.as_str()).collect();
    assert_eq!(faces, ["aa", "blink", "cheerful"]);
    assert_eq!(said(&made, "english-name-missing"), [""; 0]);
}

#[test]
fn without_being_asked_names_are_those_of_the_source() {
    let standard = dopesheet::puppet::standard_model().unwrap();
    let options = ConvertOptions { model: Some(&standard), ..ConvertOptions::to(&Glb) };
    let made = convert(&[bow()], &options).unwrap();
    assert!(String::from_utf8_lossy(&made.output.main).contains("\"name\":\"センター\""));
}
