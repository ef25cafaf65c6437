//! A small player of curves, to compare what scenes show with what other programs show.

use dopesheet_core::model::{
    Blend, Composition, Curve, Law, Outside, Property, Scene, TargetKind, Timing, Track,
};
use dopesheet_curve::{BezierTiming, bezier_timing, lerp, slerp};
use dopesheet_mmd::Vmd;
use dopesheet_testkit::{bytes, corpus, files, json, read, rotation_angle};
use serde_json::Value;
use std::path::Path;

fn at(curve: &Curve, frame: f64) -> Vec<f64> {
    let seconds = dopesheet_core::units::FrameRate::FPS_30.seconds(frame);
    let wide = |values: &[f32]| values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
    let key = |key: usize| wide(curve.value(key).unwrap());
    let key_frame = |key: usize| curve.times.frame(key).unwrap().0 as f64;
    let count = curve.times.count_until(seconds);
    if count == curve.len() {
        return key(count - 1);
    }
    let (a, b, from, to, law) = match (count.checked_sub(1), &curve.before) {
        (Some(last), _) => (key(last), key(count), key_frame(last), key_frame(count), curve.laws.get(last)),
        (None, Outside::Ramp { from, law, .. }) => (wide(from), key(0), 0.0, key_frame(0), *law),
        (None, _) => return key(0),
    };
    blend(&a, &b, (frame - from) / (to - from), law)
}

fn blend(a: &[f64], b: &[f64], u: f64, law: Law) -> Vec<f64> {
    let u = match law.timing {
        Timing::Bezier { x1, y1, x2, y2 } => {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
            bezier_timing(&BezierTiming { x1, y1, x2, y2 }, u)
        }
        _ => u,
    };
    match law.blend {
        Blend::Step => a.to_vec(),
        Blend::Slerp => slerp([a[0], a[1], a[2], a[3]], [b[0], b[1], b[2], b[3]], u).to_vec(),
        _ => a.iter().zip(b).map(|(a, b)| lerp(*a, *b, u)).collect(),
    }
}

fn track<'a>(scene: &'a Scene, kind: TargetKind, name: &str) -> &'a Track {
    let is_it = |t: &&Track| t.target.kind == kind && t.target.name == name;
    scene.clips[0].tracks.iter().find(is_it).unwrap_or_else(|| panic!("no {name}"))
}

fn value(track: &Track, property: &Property, frame: f64) -> Vec<f64> {
    let channel = track.channels.iter().find(|c| c.property == *property).unwrap();
    channel.composition.curves().flat_map(|curve| at(curve, frame)).collect()
}

fn scene(path: &Path) -> Scene {
    use dopesheet_core::format::Format;
    Vmd::to_scene(&read::<Vmd>(&bytes(path)), &Default::default(), &mut Default::default()).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn four(v: &[f64]) -> [f64; 4] {
    [v[0], v[1], v[2], v[3]]
}

/// Number of compared poses of a bone.
fn compare_bone(expected: &Value, frames: &[f64], track: &Track, file: &str) -> usize {
    let skipped = expected["between_adjacent_keys"].as_array().cloned().unwrap_or_default();
    let mut count = 0;
    for (index, frame) in frames.iter().enumerate().filter(|(index, _)| !skipped.contains(&(*index).into())) {
        let (t, r) = match expected.get("const") {
            Some(constant) => (&constant["t"], &constant["r"]),
            None => (&expected["t"][index], &expected["r"][index]),
        };
        let loose = expected["loose"].as_array().and_then(|l| l.iter().find(|l| l["i"] == index));
        let tolerance = |name: &str| loose.unwrap_or(expected)[name].as_f64().unwrap();
        let found = value(track, &Property::Translation, *frame);
        assert!(
            largest_difference(&list(t), &found) <= tolerance("tol_t"),
            "{file} {expected} at {frame}: {found:?}"
        );
        let found = value(track, &Property::Rotation, *frame);
        let angle = rotation_angle(four(&list(r)), four(&found)).to_degrees();
        assert!(angle <= tolerance("tol_r_deg"), "{file} {} at {frame}: {angle}° off", expected["bone"]);
        count += 1;
    }
    count
}

#[test]
fn bones_and_morphs_are_where_other_programs_have_them() {
    let Some(corpus) = corpus("mmd") else { return };
    let (mut file_count, mut poses, mut weights) = (0, 0, 0);
    let locals = files(&corpus.join("expected"), &["json"], 9);
    for path in
        locals.iter().filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("local-")))
    {
        let (expected, file) = (json(path), path.display().to_string());
        let scene = scene(&corpus.join(expected["motion"].as_str().unwrap()));
        let frames = list(&expected["frames"]);
        for bone in expected["tracks"].as_array().unwrap() {
            let track = track(&scene, TargetKind::Joint, bone["bone"].as_str().unwrap());
            poses += compare_bone(bone, &frames, track, &file);
        }
        for morph in expected["morphs"].as_array().unwrap() {
            let track = track(&scene, TargetKind::Morph, morph["name"].as_str().unwrap());
            for (index, frame) in frames.iter().enumerate() {
                let want = morph["const"].as_f64().unwrap_or_else(|| morph["w"][index].as_f64().unwrap());
                let found = value(track, &Property::Weight, *frame)[0];
                let tolerance = expected["morph_tol"].as_f64().unwrap();
                assert!((found - want).abs() <= tolerance, "{file} {morph} at {frame}: {found}");
                weights += 1;
            }
        }
        file_count += 1;
    }
    assert_eq!(file_count, 8);
    assert!(poses > 5_000 && weights > 200, "{poses} poses, {weights} weights");
}

#[test]
fn the_camera_and_the_light_are_where_other_programs_have_them() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/camera-zoom_in.json"));
    let scene = scene(&corpus.join(expected["motion"].as_str().unwrap()));
    let (camera, light) =
        (track(&scene, TargetKind::Camera, "camera"), track(&scene, TargetKind::Light, "light"));
    let Composition::Orbit(_) = camera.channels[0].composition else { panic!("an orbit") };
    let tolerance = |name: &str| expected["tol"][name].as_f64().unwrap();
    for row in expected["frames"].as_array().unwrap() {
        let frame = row["t"].as_f64().unwrap();
        let found = value(camera, &Property::Placement, frame);
        let number = |name: &str| vec![row[name].as_f64().unwrap()];
        let parts = [
            (found[..3].to_vec(), list(&row["pos"]), "pos"),
            (found[3..6].to_vec(), list(&row["rot"]), "rot"),
            (found[6..].to_vec(), number("distance"), "distance"),
            (value(camera, &Property::YFov, frame), number("fov_deg"), "fov_deg"),
            (value(light, &Property::Color, frame), list(&row["light"]["color"]), "light"),
            (value(light, &Property::Direction, frame), list(&row["light"]["dir"]), "light"),
        ];
        for (found, want, name) in parts {
            assert!(
                largest_difference(&found, &want) <= tolerance(name),
                "{name} at {frame}: {found:?}, not {want:?}"
            );
        }
    }
}

#[test]
fn switches_are_as_other_programs_have_them() {
    let Some(corpus) = corpus("mmd") else { return };
    let expected = json(&corpus.join("expected/ik-switch-synth_ik_toggle.json"));
    let scene = scene(&corpus.join(expected["motion"].as_str().unwrap()));
    let mut count = 0;
    for row in expected["frames"].as_array().unwrap() {
        let frame = row["t"].as_f64().unwrap();
        for (bone, want) in row["ik"].as_object().unwrap() {
            let track = track(&scene, TargetKind::Custom, bone);
            assert_eq!(
                value(track, &Property::Enabled, frame)[0],
                want.as_f64().unwrap(),
                "{bone} at {frame}"
            );
            count += 1;
        }
    }
    // Not compared: the program that made the column `visible` shows the model at frame 40, where the key hides it.
    let model = track(&scene, TargetKind::Custom, "model");
    assert_eq!(
        [39.9, 40.0, 54.9, 55.0].map(|frame| value(model, &Property::Visible, frame)[0]),
        [1.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(count, 60);
}

/// Fields of `evaluation` that four programs agree on; what single ones do differently is not compared.
#[test]
fn malformed_files_play_as_other_programs_play_them() {
    let Some(corpus) = corpus("mmd") else { return };
    let manifest = json(&corpus.join("bad/manifest.json"));
    let mut count = 0;
    for name in [
        "vmd_huge_frame.vmd",
        "vmd_unsorted_duplicate.vmd",
        "vmd_zero_quaternion.vmd",
        "vmd_non_unit_quaternion.vmd",
    ] {
        let scene = scene(&corpus.join("bad").join(name));
        let theirs = &manifest["files"][name]["evaluation"]["babylon"];
        let bone = track(&scene, TargetKind::Joint, theirs["bone"].as_str().unwrap());
        for (index, frame) in list(&theirs["frames"]).into_iter().enumerate() {
            let found = value(bone, &Property::Translation, frame);
            // That program's Bezier solver is good to 1e-4 of a segment.
            let difference = largest_difference(&found, &list(&theirs["t"][index]));
            assert!(difference < 2e-2, "{name} at {frame}: {found:?}");
            let rotation = value(bone, &Property::Rotation, frame);
            let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-6, "{name} at {frame}: {rotation:?}");
            count += 1;
        }
    }
    assert_eq!(count, 22);
}
