//! The corpus of real and malformed files, and what independent programs say of them.

use dopesheet_core::diag::{Report, Severity};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_core::model::Scene;
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{Bone, Document, MorphOffsets, Skinning, Vertex};
use dopesheet_testkit::{
    Records, assert_identity, bytes, corpus, files, json, read, read_reporting, sha256, verdicts_on,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn skin(r: &mut Records, vertex: &Vertex) {
    match &vertex.skinning {
        Skinning::Bdef1(bone) => r.raw(&[0]).int(bone.0),
        Skinning::Bdef2(bones, weight) => r.raw(&[1]).ints(bones.map(|bone| bone.0)).floats(&[*weight]),
        Skinning::Bdef4(bones, weights) => r.raw(&[2]).ints(bones.map(|bone| bone.0)).floats(weights),
        Skinning::Sdef(sdef) => r.raw(&[3]).ints(sdef.bones.map(|bone| bone.0)).floats(&[sdef.weight]),
        Skinning::Qdef(bones, weights) => r.raw(&[4]).ints(bones.map(|bone| bone.0)).floats(weights),
    }
    .floats(&[vertex.edge_scale]);
}

fn ik(r: &mut Records, bone: &Bone) {
    let Some(ik) = &bone.ik else {
        r.raw(&[0]);
        return;
    };
    r.raw(&[1]).int(ik.target.0).int(ik.iterations).floats(&[ik.step_rad]).int(ik.links.len() as i32);
    for link in &ik.links {
        r.int(link.bone.0).raw(&[u8::from(link.limit.is_some())]);
        if let Some(limit) = &link.limit {
            r.floats(&limit.min_rad).floats(&limit.max_rad);
        }
    }
}

fn of_the_surface(document: &Document) -> Vec<(&'static str, Records)> {
    let geometry = Records::of(&document.vertices, |r, vertex| {
        r.floats(&vertex.position).floats(&vertex.normal).floats(&vertex.uv);
    });
    let materials = Records::of(&document.materials, |r, own| {
        r.text(&document.text(&own.name)).text(&document.text(&own.english_name)).floats(&own.diffuse);
        r.floats(&own.specular).floats(&[own.shininess]).floats(&own.ambient).int(own.index_count);
    });
    vec![
        ("vertex_geometry", geometry),
        ("vertex_skin", Records::of(&document.vertices, skin)),
        ("indices", Records::of(&document.faces, |r, index| _ = r.int(*index as i32))),
        ("materials", materials),
    ]
}

fn of_the_bones(document: &Document) -> Vec<(&'static str, Records)> {
    let bones = Records::of(&document.bones, |r, bone| {
        r.text(&document.text(&bone.name)).text(&document.text(&bone.english_name)).floats(&bone.head);
        r.int(bone.parent.0).int(bone.level);
    });
    let append = Records::of(&document.bones, |r, bone| match &bone.append {
        Some(append) => _ = r.raw(&[1]).int(append.source.0).floats(&[append.ratio]),
        None => _ = r.raw(&[0]),
    });
    let axis = Records::of(&document.bones, |r, bone| match &bone.fixed_axis {
        Some(axis) => _ = r.raw(&[1]).floats(axis),
        None => _ = r.raw(&[0]),
    });
    vec![
        ("bones", bones),
        ("bone_flags", Records::of(&document.bones, |r, bone| _ = r.int(bone.file_flags()))),
        ("bone_append", append),
        ("bone_fixed_axis", axis),
        ("bone_ik", Records::of(&document.bones, ik)),
    ]
}

fn of_the_rest(document: &Document) -> Vec<(&'static str, Records)> {
    let morphs = Records::of(&document.morphs, |r, morph| {
        r.text(&document.text(&morph.name)).text(&document.text(&morph.english_name));
        r.int(morph.panel).int(morph.offsets.kind()).int(morph.offsets.len() as i32);
    });
    let offsets = Records::of(&document.morphs, |r, morph| {
        let MorphOffsets::Vertex(offsets) = &morph.offsets else {
            r.int(0);
            return;
        };
        r.int(offsets.len() as i32);
        for offset in offsets {
            r.int(offset.vertex as i32).floats(&offset.offset);
        }
    });
    let bodies = Records::of(&document.rigid_bodies, |r, body| {
        r.text(&document.text(&body.name)).int(body.bone.0);
        r.floats(&body.position).floats(&body.rotation).floats(&[body.mass]);
    });
    let joints = Records::of(&document.joints, |r, joint| {
        r.text(&document.text(&joint.name)).ints(joint.bodies.map(|body| body.0)).floats(&joint.position);
    });
    vec![("morphs", morphs), ("morph_vertex_offsets", offsets), ("rigid_bodies", bodies), ("joints", joints)]
}

fn compare_names(name: &str, document: &Document, expected: &Value) {
    assert_eq!(expected["model_name"], document.model_name(), "{name}");
    let bones: Vec<_> = document.bones.iter().map(|bone| document.text(&bone.name)).collect();
    let morphs: Vec<_> = document.morphs.iter().map(|morph| document.text(&morph.name)).collect();
    assert_eq!(expected["bones_named"], json!(bones), "{name}");
    assert_eq!(expected["morphs_named"], json!(morphs), "{name}");
    let counts = json!({
        "vertices": document.vertices.len(),
        "indices": document.faces.len(),
        "materials": document.materials.len(),
        "bones": document.bones.len(),
        "morphs": document.morphs.len(),
        "rigid_bodies": document.rigid_bodies.len(),
        "joints": document.joints.len(),
        "textures": document.textures.len(),
        "display_frames": document.display_frames.len(),
    });
    assert_eq!(expected["counts"], counts, "{name}");
}

#[test]
fn counts_names_and_digests_agree_with_other_programs() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/parse-pmx.json"));
    let (mut file_count, mut digests) = (0, 0);
    for (name, expected) in expected["files"].as_object().unwrap() {
        let file = bytes(&corpus.join(name));
        assert_eq!(expected["bytes"], file.len(), "{name}");
        assert_eq!(expected["sha256"], sha256(&file), "{name} is another file");
        let document = read::<Pmx>(&file);
        compare_names(name, &document, expected);
        let found: BTreeMap<_, _> =
            [of_the_surface(&document), of_the_bones(&document), of_the_rest(&document)]
                .into_iter()
                .flatten()
                .collect();
        for (component, want) in expected["components"].as_object().unwrap() {
            found[component.as_str()].assert_agree(want, &format!("{name} {component}"));
            digests += 1;
        }
        file_count += 1;
    }
    assert_eq!((file_count, digests), (7, 91));
}

/// The models of the corpus and the small rigs made to look at inverse kinematics.
fn real_files(corpus: &Path) -> Vec<PathBuf> {
    let mut paths = files(&corpus.join("pmx"), &["pmx"], 14);
    paths.extend(files(&corpus.join("ik_captures"), &["pmx"], 44));
    paths
}

#[test]
fn real_files_are_written_back_and_have_no_errors() {
    let Some(corpus) = corpus("mmd") else { return };
    let paths = real_files(&corpus);
    for path in &paths {
        let (file, name) = (bytes(path), path.display().to_string());
        assert_identity::<Pmx>(&file, &name);
        let (document, report) = read_reporting::<Pmx>(&file);
        assert_ne!(report.worst(), Some(Severity::Error), "{name}: {report:?}");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let lenient = Pmx::read(&Source::new(&file), &options, &mut Report::default());
        assert_eq!(lenient.as_ref(), Ok(&document), "{name}");
    }
    assert_eq!(paths.len(), 58);
}

fn scene(path: &Path) -> (Document, Scene, Report) {
    let mut report = Report::default();
    let document = read::<Pmx>(&bytes(path));
    let scene = Pmx::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    (document, scene, report)
}

/// Where each node is when nothing moves.
fn places(scene: &Scene) -> Vec<[f64; 3]> {
    let mut places: Vec<[f64; 3]> = Vec::new();
    for node in &scene.nodes {
        let above = node.parent.map_or([0.0; 3], |parent| places[parent.0]);
        places.push(std::array::from_fn(|axis| above[axis] + node.rest.translation[axis]));
    }
    places
}

#[test]
fn bones_of_real_files_stand_where_the_file_says() {
    let Some(corpus) = corpus("mmd") else { return };
    let mut bones = 0;
    for path in real_files(&corpus) {
        let (document, scene, _) = scene(&path);
        let places = places(&scene);
        for (node, place) in scene.nodes.iter().zip(places) {
            let Some(source) = node.source_index else { continue };
            let bone = &document.bones[source];
            assert_eq!(node.name, document.text(&bone.name));
            for (found, head) in place.into_iter().zip(bone.head) {
                assert!((found - f64::from(head)).abs() < 1e-9, "{} {}", path.display(), node.name);
            }
            bones += 1;
        }
        assert_eq!(scene.rig.joints.len(), document.bones.len());
    }
    assert!(bones > 500, "{bones}");
}

#[test]
fn triangles_of_real_files_face_the_way_of_their_normals() {
    let Some(corpus) = corpus("mmd") else { return };
    let (mut agree, mut all) = (0_usize, 0_usize);
    for path in files(&corpus.join("pmx"), &["pmx"], 14) {
        for primitive in scene(&path).1.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            for triangle in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| primitive.positions[triangle[corner] as usize]);
                let edge = |to: [f32; 3]| [0, 1, 2].map(|axis| to[axis] - a[axis]);
                let (u, v) = (edge(b), edge(c));
                let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                let normal = primitive.normals[triangle[0] as usize];
                agree += usize::from(cross.iter().zip(normal).map(|(x, y)| x * y).sum::<f32>() >= 0.0);
                all += 1;
            }
        }
    }
    // Some normals of hair and cloth are bent on purpose.
    assert!(all > 10_000 && agree * 100 > all * 97, "{agree} of {all}");
}

#[test]
fn malformed_files_meet_their_verdicts() {
    let Some(corpus) = corpus("mmd") else { return };
    let text = verdicts_on::<Pmx>(&corpus.join("bad"), "pmx", 19, |name, scene| {
        assert!(places(scene).iter().flatten().all(|number| number.is_finite()), "{name}");
    });
    insta::assert_snapshot!(text);
}

#[test]
fn what_a_scene_of_a_real_file_loses_is_said() {
    let Some(corpus) = corpus("mmd") else { return };
    let mut text = String::new();
    for path in files(&corpus.join("pmx"), &["pmx"], 14) {
        let (_, scene, report) = scene(&path);
        let vertices: usize = scene
            .meshes
            .iter()
            .flat_map(|mesh| &mesh.primitives)
            .map(|primitive| primitive.positions.len())
            .sum();
        let (nodes, materials, morphs) = (scene.nodes.len(), scene.materials.len(), scene.rig.morphs.len());
        text += &format!("{}: ", path.file_name().unwrap().display());
        text += &format!("{nodes} nodes, {vertices} vertices, {materials} materials, {morphs} morphs\n");
        text.extend(report.losses.iter().map(|loss| format!("    {loss:?}\n")));
    }
    insta::assert_snapshot!(text);
}
