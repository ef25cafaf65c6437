//! The corpus of real and malformed files, and what independent programs say of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_mmd::Pmd;
use dopesheet_mmd::pmd::{Bone, Document, Index};
use dopesheet_testkit::{assert_identity, bytes, corpus, files, json, read, read_reporting};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The records of one component, as little-endian bytes behind their count.
#[derive(Default)]
struct Records {
    count: u32,
    bytes: Vec<u8>,
}

impl Records {
    fn of<K>(keys: impl IntoIterator<Item = K>, mut record: impl FnMut(&mut Self, K)) -> Self {
        let mut records = Self::default();
        for key in keys {
            records.count += 1;
            record(&mut records, key);
        }
        records
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.int(text.len() as u32).raw(text.as_bytes())
    }

    fn int(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A field of 16 bits, with its sign.
    fn short(&mut self, value: u16) -> &mut Self {
        self.raw(&i32::from(value.cast_signed()).to_le_bytes())
    }

    fn floats(&mut self, values: &[f32]) -> &mut Self {
        for value in values {
            self.raw(&value.to_le_bytes());
        }
        self
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn expected(&self) -> (u64, String) {
        let digest =
            Sha256::new().chain_update(self.count.to_le_bytes()).chain_update(&self.bytes).finalize();
        (u64::from(self.count), hex(&digest))
    }
}

fn surface(document: &Document) -> [(&'static str, Records); 4] {
    let geometry = Records::of(&document.vertices, |r, v| {
        r.floats(&v.position).floats(&v.normal).floats(&v.uv);
    });
    let skin = Records::of(&document.vertices, |r, v| {
        r.short(v.bones[0].0).short(v.bones[1].0).int(v.weight.into());
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
            .short(b.parent.0)
            .short(b.tail.0)
            .int(b.kind.into())
            .short(b.source)
            .floats(&b.head);
    });
    let basic = Records::of(&document.bones, |r, b: &Bone| {
        r.text(&b.name.text()).short(b.parent.0).floats(&b.head);
    });
    let iks = Records::of(&document.ik, |r, ik| {
        r.short(ik.bone.0).short(ik.target.0).int(ik.iterations.into()).floats(&[ik.weight]);
        r.int(ik.links.len() as u32);
        ik.links.iter().for_each(|link: &Index| {
            r.short(link.0);
        });
    });
    let morphs = Records::of(&document.morphs, |r, m| {
        r.text(&m.name.text()).int(m.panel.into()).int(m.offsets.len() as u32);
        m.offsets.iter().for_each(|offset| {
            r.int(offset.index).floats(&offset.offset);
        });
    });
    [("bones", bones), ("bones_basic", basic), ("iks", iks), ("morphs", morphs)]
}

fn physics(document: &Document) -> [(&'static str, Records); 2] {
    let bodies = Records::of(document.rigid_bodies.iter().flatten(), |r, b| {
        r.text(&b.name.text()).short(b.bone.0).floats(&b.position).floats(&b.rotation).floats(&[b.mass]);
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
        assert_eq!(expected["sha256"], hex(&Sha256::digest(&data)), "{name} is another file");
        let document = read::<Pmd>(&data);
        assert_eq!(expected["model_name"], document.name.text(), "{name}");
        let bones: Value = document.bones.iter().map(|bone| bone.name.text()).collect();
        let morphs: Value = document.morphs.iter().map(|morph| morph.name.text()).collect();
        assert_eq!((&expected["bones_named"], &expected["morphs_named"]), (&bones, &morphs), "{name}");
        let found = components(&document);
        for (component, want) in expected["components"].as_object().unwrap() {
            let (count, sha256) = found[component.as_str()].expected();
            let found = (&json!(count), &json!(sha256));
            assert_eq!((&want["count"], &want["sha256"]), found, "{name} {component}");
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
    let manifest = json(&corpus.join("bad/manifest.json"));
    let mut text = String::new();
    let mut file_count = 0;
    for (name, entry) in
        manifest["files"].as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".pmd"))
    {
        let file = bytes(&corpus.join("bad").join(name));
        assert_eq!(entry["sha256"], hex(&Sha256::digest(&file)), "{name} is another file");
        let verdict = entry["verdict"].as_str().unwrap();
        let result = Pmd::read(&Source::new(&file), &ReadOptions::default(), &mut Report::default());
        let error = result.expect_err(name);
        assert_ne!(verdict, "accept", "{name}: {error}");
        text += &format!("{name} ({verdict})\n    {error}\n");
        file_count += 1;
    }
    assert_eq!(file_count, 5);
    insta::assert_snapshot!(text);
}

/// Every member of the two manifests that concern PMD is read by a test here, or says where numbers come from.
#[test]
fn no_member_of_the_manifests_is_left_unread() {
    let Some(corpus) = corpus("mmd") else { return };
    let known = |words: &str, value: &Value| {
        for key in value.as_object().unwrap().keys() {
            assert!(words.split(' ').any(|word| word == key), "nobody reads {key}");
        }
    };
    let parse = json(&corpus.join("expected/parse-pmd.json"));
    known("schema peers files", &parse);
    for (name, file) in parse["files"].as_object().unwrap() {
        let compared = "model_name components counts bones_named morphs_named";
        known(&format!("{compared} file bytes sha256 peers_failing disagreements"), file);
        assert_eq!(file["bytes"].as_u64(), Some(bytes(&corpus.join(name)).len() as u64), "{name}");
        assert_eq!(file["file"].as_str(), Some(name.as_str()));
    }
    let bad = json(&corpus.join("bad/manifest.json"));
    for (_, file) in bad["files"].as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".pmd")) {
        known("about verdict sha256 peers", file);
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
