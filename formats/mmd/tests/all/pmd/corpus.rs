//! The corpus of real and malformed files, and what independent programs say of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_mmd::Pmd;
use dopesheet_mmd::pmd::{Bone, Document, Index};
use dopesheet_testkit::{
    Records, assert_identity, assert_members_known, bytes, corpus, files, json, read, read_reporting, sha256,
    verdicts_on,
};
use serde_json::Value;
use std::collections::BTreeMap;

fn surface(document: &Document) -> [(&'static str, Records); 4] {
    let geometry = Records::of(&document.vertices, |r, v| {
        r.floats(&v.position).floats(&v.normal).floats(&v.uv);
    });
    let skin = Records::of(&document.vertices, |r, v| {
        r.int(v.bones[0].0.cast_signed()).int(v.bones[1].0.cast_signed()).int(v.weight);
    });
    let indices = Records::of(&document.faces, |r, vertex| {
        r.int(u32::from(*vertex));
    });
    let materials = Records::of(&document.materials, |r, m| {
        r.floats(&m.diffuse).floats(&[m.shininess]).floats(&m.specular).floats(&m.ambient).int(m.index_count);
    });
    [("vertex_geometry", geometry), ("vertex_skin", skin), ("indices", indices), ("materials", materials)]
}

fn skeleton(document: &Document) -> [(&'static str, Records); 4] {
    let bones = Records::of(&document.bones, |r, b: &Bone| {
        r.text(&b.name.text())
            .int(b.parent.0.cast_signed())
            .int(b.tail.0.cast_signed())
            .int(b.kind)
            .int(b.source.cast_signed())
            .floats(&b.head);
    });
    let basic = Records::of(&document.bones, |r, b: &Bone| {
        r.text(&b.name.text()).int(b.parent.0.cast_signed()).floats(&b.head);
    });
    let iks = Records::of(&document.ik, |r, ik| {
        r.int(ik.bone.0.cast_signed()).int(ik.target.0.cast_signed()).int(ik.iterations).floats(&[ik.weight]);
        r.int(ik.links.len() as u32);
        ik.links.iter().for_each(|link: &Index| {
            r.int(link.0.cast_signed());
        });
    });
    let morphs = Records::of(&document.morphs, |r, m| {
        r.text(&m.name.text()).int(m.panel).int(m.offsets.len() as u32);
        m.offsets.iter().for_each(|offset| {
            r.int(offset.index).floats(&offset.offset);
        });
    });
    [("bones", bones), ("bones_basic", basic), ("iks", iks), ("morphs", morphs)]
}

fn physics(document: &Document) -> [(&'static str, Records); 2] {
    let bodies = Records::of(document.rigid_bodies.iter().flatten(), |r, b| {
        r.text(&b.name.text())
            .int(b.bone.0.cast_signed())
            .floats(&b.position)
            .floats(&b.rotation)
            .floats(&[b.mass]);
    });
    let joints = Records::of(document.joints.iter().flatten(), |r, j| {
        r.text(&j.name.text()).int(j.bodies[0]).int(j.bodies[1]).floats(&j.position);
    });
    [("rigid_bodies", bodies), ("joints", joints)]
}

fn components(document: &Document) -> BTreeMap<&'static str, Records> {
    surface(document).into_iter().chain(skeleton(document)).chain(physics(document)).collect()
}

#[test]
fn counts_names_and_digests_agree_with_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/parse-pmd.json"));
    let (mut file_count, mut digests) = (0, 0);
    for (name, expected) in expected["files"].as_object().unwrap() {
        let data = bytes(&corpus.join(name));
        assert_eq!(expected["sha256"], sha256(&data), "{name} is another file");
        let document = read::<Pmd>(&data);
        assert_eq!(expected["model_name"], document.name.text(), "{name}");
        let bones: Value = document.bones.iter().map(|bone| bone.name.text()).collect();
        let morphs: Value = document.morphs.iter().map(|morph| morph.name.text()).collect();
        assert_eq!((&expected["bones_named"], &expected["morphs_named"]), (&bones, &morphs), "{name}");
        let found = components(&document);
        for (component, want) in expected["components"].as_object().unwrap() {
            found[component.as_str()].assert_agree(want, &format!("{name} {component}"));
            digests += 1;
        }
        let counts = expected["counts"].as_object().unwrap();
        for (word, count) in counts {
            let word = if word == "vertices" { "vertex_geometry" } else { word };
            assert_eq!(count.as_u64(), Some(u64::from(found[word].count)), "{name} {word}");
        }
        file_count += 1;
    }
    assert_eq!((file_count, digests), (2, 20));
}

#[test]
fn real_files_are_written_back_and_have_no_errors() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("pmd"), &["pmd"], 4);
    let mut text = String::new();
    for path in &paths {
        let (file, name) = (bytes(path), path.file_name().unwrap().display().to_string());
        assert_identity::<Pmd>(&file, &name);
        let (document, report) = read_reporting::<Pmd>(&file);
        assert_ne!(report.worst(), Some(Severity::Error), "{name}: {report:?}");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let lenient = Pmd::read(&Source::new(&file), &options, &mut Report::default());
        assert_eq!(lenient.as_ref(), Ok(&document), "{name}");
        let findings = report.findings.iter().map(|finding| format!("    {finding}\n"));
        text += &format!("{name}\n{}", findings.collect::<String>());
    }
    assert_eq!(paths.len(), 4);
    insta::assert_snapshot!(text);
}

#[test]
fn real_models_become_scenes() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = files(&corpus.join("pmd"), &["pmd"], 4);
    for path in &paths {
        let name = path.display();
        let document = read::<Pmd>(&bytes(path));
        let mut report = Report::default();
        let scene = Pmd::to_scene(&document, &ToScene::default(), &mut report);
        let scene = scene.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(scene.nodes.len() >= document.bones.len(), "{name}");
        assert_eq!(scene.rig.ik.len(), document.ik.len(), "{name}");
        assert_eq!(scene.rig.morphs.len(), document.morphs.len().saturating_sub(1), "{name}");
        let triangles =
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|p| p.indices.len()).sum::<usize>();
        assert_eq!(triangles, document.faces.len(), "{name}");
        let lost = |loss: &dopesheet_core::diag::Loss| matches!(loss, dopesheet_core::diag::Loss::Dropped { what, .. } if what.contains("offsets"));
        assert!(!report.losses.iter().any(lost), "{name}: {report:?}");
    }
    assert_eq!(paths.len(), 4);
}

#[test]
fn malformed_files_meet_their_verdicts() {
    let Some(corpus) = corpus("mmd") else { return };
    insta::assert_snapshot!(verdicts_on::<Pmd>(&corpus.join("bad"), "pmd", 5, |_, _| ()));
}

/// Every member of the two manifests that concern PMD is read by a test here, or says where numbers come from.
#[test]
fn no_member_of_the_manifests_is_left_unread() {
    let Some(corpus) = corpus("mmd") else { return };
    let parse = json(&corpus.join("expected/parse-pmd.json"));
    assert_members_known(&["schema", "peers", "files"], &parse);
    for (name, file) in parse["files"].as_object().unwrap() {
        let compared = ["model_name", "components", "counts", "bones_named", "morphs_named"];
        assert_members_known(
            &[&compared[..], &["file", "bytes", "sha256", "peers_failing", "disagreements"]].concat(),
            file,
        );
        assert_eq!(file["bytes"].as_u64(), Some(bytes(&corpus.join(name)).len() as u64), "{name}");
        assert_eq!(file["file"].as_str(), Some(name.as_str()));
    }
    let bad = json(&corpus.join("bad/manifest.json"));
    for (_, file) in bad["files"].as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".pmd")) {
        assert_members_known(&["about", "verdict", "sha256", "peers"], file);
    }
}
