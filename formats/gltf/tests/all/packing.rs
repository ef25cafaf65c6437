//! The ways of storing motion that `@` asks for.

use crate::common::*;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Edit, Format, FromScene, Source, WriteOptions};
use dopesheet_core::model::*;
use dopesheet_gltf::{Document, Glb, Gltf};
use dopesheet_testkit as testkit;

/// Three nodes that move for ten seconds, a face, and a camera whose angle changes.
fn lively() -> Scene {
    let mut scene = scene(&[("root", None), ("arm", Some(0)), ("hand", Some(1))]);
    let set = MorphSet { name: "face".into(), morphs: vec!["a".into(), "b".into()], rest: vec![0.0; 2] };
    scene.morph_sets.push(set);
    scene.nodes[2].morphs = Some(MorphSetIndex(0));
    let times: Vec<f64> = (0..301).map(|n| f64::from((f64::from(n) / 30.0) as f32)).collect();
    let angle = |n: usize, speed: f64| (n as f64 * speed).sin();
    let numbers = |width: usize, speed: f64| -> Vec<f32> {
        (0..times.len() * width)
            .map(|n| (angle(n / width, speed + (n % width) as f64 * 0.01) * 1.5) as f32)
            .collect()
    };
    let rotations = |speed: f64| -> Vec<f32> {
        let q = |n: usize| {
            let (half, tilt) = (angle(n, speed), angle(n, speed * 0.3));
            let axis = [tilt.cos(), tilt.sin(), 0.0];
            [axis[0] * half.sin(), axis[1] * half.sin(), axis[2] * half.sin(), half.cos()].map(|x| x as f32)
        };
        (0..times.len()).flat_map(q).collect()
    };
    let tracks = (0..3)
        .map(|node| {
            let speed = 0.02 + node as f64 * 0.03;
            let mut channels = vec![moves(&times, &numbers(3, speed)), turns(&times, &rotations(speed))];
            if node == 2 {
                let weights = curve(&times, 2, &numbers(2, 0.05), Law::LINEAR);
                channels.push(Channel::whole(Property::Weights, weights));
            }
            joint(&scene, node, channels)
        })
        .collect();
    scene.clips.push(clip("lively", 10.0, tracks));
    scene
}

fn packed(scene: &Scene, variant: &str) -> (Document, Report) {
    let options = FromScene { variant: Some(variant.into()), ..FromScene::default() };
    let name = &scene.clips[0].name.as_deref().unwrap();
    written_with(&format!("{name}-{variant}"), scene, &options)
}

/// The largest difference of any stored number but rotations, and the widest angle between rotations.
fn compare(a: &Scene, b: &Scene) -> (f64, f64) {
    let (mut numbers, mut angle) = (0.0_f64, 0.0_f64);
    let channels = |scene: &Scene| -> Vec<Channel> {
        scene.clips[0].tracks.iter().flat_map(|track| track.channels.clone()).collect()
    };
    let (a, b) = (channels(a), channels(b));
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a.property, b.property);
        let (a, b) = (a.composition.curves().next().unwrap(), b.composition.curves().next().unwrap());
        assert!(a.times == b.times && a.width == b.width);
        assert_eq!(a.values.len(), b.values.len());
        for (a, b) in a.values.chunks(a.width).zip(b.values.chunks(b.width)) {
            let wide = |q: &[f32]| -> Option<[f64; 4]> { Some(<[f32; 4]>::try_from(q).ok()?.map(f64::from)) };
            match (wide(a), wide(b)) {
                (Some(a), Some(b)) => angle = angle.max(testkit::rotation_angle(a, unit(b))),
                _ => {
                    for (a, b) in a.iter().zip(b) {
                        numbers = numbers.max((f64::from(*a) - f64::from(*b)).abs());
                    }
                }
            }
        }
    }
    (numbers, angle)
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

#[test]
fn every_variant_keeps_its_bound_and_says_what_it_cost() {
    let scene = lively();
    let plain = write(&packed(&scene, "plain").0).len();
    let mut seen = 0;
    for (variant, most_bytes, numbers, angle) in [
        ("plain", plain, 0.0, 0.0),
        ("rot16", plain * 80 / 100, 0.0, 6.2e-5),
        ("meshopt", plain * 62 / 100, 1e-6, 1e-6),
        ("meshopt,exact", plain * 85 / 100, 0.0, 0.0),
        ("meshopt,rot16", plain * 50 / 100, 1e-6, 1.4e-4),
        ("khr-meshopt", plain * 60 / 100, 1e-6, 1e-6),
        ("khr-meshopt,exact", plain * 80 / 100, 0.0, 0.0),
        ("khr-meshopt,rot16", plain * 50 / 100, 1e-6, 1.4e-4),
    ] {
        let (document, report) = packed(&scene, variant);
        let bytes = write(&document);
        println!("{variant}: {} of {plain} bytes", bytes.len());
        testkit::assert_identity::<Glb>(&bytes, variant);
        assert!(bytes.len() <= most_bytes, "{variant}: {} of {plain}", bytes.len());
        let (back, _) = to_scene(&document);
        let (found_numbers, found_angle) = compare(&scene, &back);
        // Angles of less than 3e-8 are lost in the arc cosine.
        assert!(
            found_numbers <= numbers && found_angle <= angle + 3e-8,
            "{variant}: {found_numbers} {found_angle}"
        );
        let stated: Vec<f64> = report
            .losses
            .iter()
            .filter_map(|loss| match loss {
                Loss::Approximated { max_error, .. } => Some(max_error.value),
                _ => None,
            })
            .collect();
        let kinds = usize::from(angle > 0.0) + 2 * usize::from(numbers > 0.0);
        assert_eq!(stated.len(), kinds, "{variant}: {report:?}");
        assert!(stated.iter().all(|error| *error <= numbers.max(angle)), "{variant}: {stated:?}");
        assert!(kinds == 0 || stated.iter().any(|error| *error >= found_numbers.max(found_angle) * 0.99));
        seen += 1;
    }
    assert_eq!(seen, Glb::INFO.variants.len());
}

/// Lists of more than 64 KiB become several pieces.
#[test]
fn what_rounds_most_is_found_in_whichever_piece_it_lies() {
    let mut scene = scene(&[("root", None)]);
    let keys = 12_000;
    let times: Vec<f64> = (0..keys).map(|n| f64::from(n) / 64.0).collect();
    for key in [0, 5000, 9001, 11_999] {
        let mut rotations = [0.0, 0.0, 0.0, 1.0].repeat(keys as usize);
        // Between two numbers of 16 bits; the others are such a number.
        rotations[key * 4..][..4].copy_from_slice(&[0.123_456_7, 0.0, 0.0, 0.992_349_8]);
        scene.clips = vec![clip(
            "long",
            *times.last().unwrap(),
            vec![joint(&scene, 0, vec![turns(&times, &rotations)])],
        )];
        let (_, report) = packed(&scene, "rot16");
        let [Loss::Approximated { max_error, .. }] = &report.losses[..] else { panic!("{report:?}") };
        assert_eq!(max_error.time.0, times[key]);
    }
}

#[test]
fn compressed_views_declare_their_extension_and_a_buffer_without_bytes() {
    for (variant, extension) in
        [("meshopt", "EXT_meshopt_compression"), ("khr-meshopt", "KHR_meshopt_compression")]
    {
        let (document, _) = packed(&lively(), variant);
        let json = value(&document);
        assert_eq!(json["extensionsUsed"], serde_json::json!([extension]));
        assert_eq!(json["extensionsRequired"], serde_json::json!([extension]));
        let views = json["bufferViews"].as_array().unwrap();
        let compressed: Vec<_> =
            views.iter().filter(|view| view["extensions"][extension].is_object()).collect();
        assert_eq!(compressed.len(), 4, "times, vectors, rotations, weights");
        let end = |view: &serde_json::Value| {
            view["byteOffset"].as_u64().unwrap_or(0) + view["byteLength"].as_u64().unwrap()
        };
        let length = json["buffers"][1]["byteLength"].as_u64().unwrap();
        assert_eq!(compressed.iter().map(|view| end(view)).max(), Some(length));
        assert!(compressed.iter().all(|view| view["buffer"] == 1 && view.get("byteStride").is_none()));
        assert_eq!(json["buffers"][1]["extensions"][extension], serde_json::json!({"fallback": true}));
    }
}

#[test]
fn what_would_not_get_smaller_is_not_compressed() {
    let mut scene = scene(&[("root", None)]);
    let track = joint(&scene, 0, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0])]);
    scene.clips.push(clip("short", 1.0, vec![track]));
    let (small, report) = packed(&scene, "meshopt");
    assert_eq!(small, packed(&scene, "plain").0);
    assert_eq!(report, Report::default());
}

#[test]
fn numbers_out_of_the_fixed_range_are_compressed_as_they_are() {
    let mut scene = lively();
    let Composition::Whole(curve) = &mut scene.clips[0].tracks[0].channels[0].composition else { panic!() };
    curve.values[30] = 1000.5;
    let (document, report) = packed(&scene, "meshopt");
    let (numbers, _) = compare(&scene, &to_scene(&document).0);
    assert!(numbers <= 1e-6);
    assert!(report.losses.iter().all(|loss| !format!("{loss:?}").contains("Metre")), "{report:?}");
}

#[test]
fn cubic_rotations_stay_floats() {
    let mut scene = scene(&[("root", None)]);
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8];
    let slopes = [5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0];
    let channel = Channel::whole(Property::Rotation, cubic(&[0.0, 1.0], 4, &q, &slopes, &slopes));
    let track = joint(&scene, 0, vec![channel]);
    scene.clips.push(clip("cubic", 1.0, vec![track]));
    let (document, report) = packed(&scene, "rot16");
    assert_eq!(document, packed(&scene, "plain").0);
    assert_eq!(report, Report::default());
}

#[test]
fn what_a_conversion_chose_is_stored_without_another_rounding() {
    use dopesheet_motion::{Animation, Conform, Tolerance, compare, conform};
    for variant in Glb::INFO.variants.iter().map(|variant| variant.name) {
        for length_m in [1e-4, 1e-2] {
            let source = lively();
            let tolerance = Tolerance { length_m, shell_m: None };
            let storage = Glb::storage(Some(variant));
            let options = Conform { tolerance, lossy: true, storage, ..Conform::default() };
            let mut made = source.clone();
            conform(&mut made, &Glb::capabilities(&source, Some(variant)), &options, &mut Report::default());
            let (document, _) = packed(&made, variant);
            let back = to_scene(&document).0;
            let stored = |scene: &Scene| -> Vec<Curve> {
                let channels = scene.clips[0].tracks.iter().flat_map(|track| &track.channels);
                channels.flat_map(|channel| channel.composition.curves().cloned()).collect()
            };
            // Where an arc is so wide that the writer put a key into it there is one more.
            let (made, back_curves) = (stored(&made), stored(&back));
            let pairs: Vec<_> = made.iter().zip(&back_curves).filter(|(a, b)| a.len() == b.len()).collect();
            assert!(pairs.len() >= 4, "{variant}: {} curves", pairs.len());
            for (made, back) in pairs {
                let alike = |a: &f32, b: &f32| a.abs().to_bits() == b.abs().to_bits();
                let all = made.values.iter().zip(&back.values).all(|(a, b)| alike(a, b));
                assert!(all, "{variant}: {length_m}");
            }
            let of = |scene| Animation { scene, clip: &scene.clips[0] };
            let found = compare(of(&source), of(&back), &tolerance);
            assert!(
                found.is_within || variant.contains("rot16") && length_m < 1e-3,
                "{variant}: {:?}",
                found.largest
            );
        }
    }
}

#[test]
fn compressed_text_and_bytes_become_each_other() {
    let scene = lively();
    let options = FromScene { variant: Some("meshopt".into()), ..FromScene::default() };
    let text = Gltf::from_scene(&scene, &options, &mut Report::default()).unwrap();
    let named = WriteOptions { file_name: Some("x.gltf".into()) };
    let output = Gltf::write(&text, &named).unwrap();
    assert_eq!(output.resources.len(), 1);
    let mut source = Source::new(&output.main);
    source.resources.extend(output.resources.clone());
    let again = Gltf::read(&source, &Default::default(), &mut Report::default()).unwrap();
    let binary = Glb::write(&again, &WriteOptions::default()).unwrap().main;
    let (numbers, angle) = compare(&scene, &to_scene(&try_read(&binary).unwrap()).0);
    assert!(numbers <= 1e-6 && angle <= 1.1e-6);
}

#[test]
fn an_unknown_variant_is_refused_with_those_that_are_known() {
    let options = FromScene { variant: Some("rot8".into()), ..FromScene::default() };
    let error = Glb::from_scene(&lively(), &options, &mut Report::default()).unwrap_err().to_string();
    assert!(error.contains("khr-meshopt,rot16") && error.contains("rot8"), "{error}");
}

#[test]
#[ignore = "costly"]
fn every_prefix_and_every_flip_of_a_compressed_file() {
    let mut scene = lively();
    for channel in scene.clips[0].tracks.iter_mut().flat_map(|track| &mut track.channels) {
        let Composition::Whole(curve) = &mut channel.composition else { panic!() };
        *curve = Curve::new(
            seconds(&curve.times.iter().take(60).map(|t| t.0).collect::<Vec<_>>()),
            curve.width,
            curve.values[..60 * curve.width].to_vec(),
            curve.laws.clone(),
        );
    }
    scene.clips[0].duration = dopesheet_core::units::Seconds(59.0 / 30.0);
    let bytes = write(&packed(&scene, "khr-meshopt").0);
    testkit::assert_every_prefix::<Glb>(&bytes, &[]);
    testkit::assert_every_flip::<Glb>(&bytes);
}

fn edited(bytes: &[u8], variant: &str) -> (Document, Report) {
    let mut document = try_read(bytes).unwrap();
    let (edit, mut report) = (Edit { variant: Some(variant.into()), ..Edit::default() }, Report::default());
    Glb::edit(&mut document, &edit, &mut report).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read_back(&document), document);
    (document, report)
}

#[test]
fn a_document_is_stored_in_another_way_without_leaving_the_format() {
    let mut scene = lively();
    scene.clips[0].markers.push(Marker {
        time: dopesheet_core::units::Seconds(1.0),
        name: "step".into(),
        data: None,
    });
    scene.nodes[0].extras = Some(serde_json::json!({"mine": 1}));
    let plain = write(&packed(&scene, "plain").0);
    for (variant, bound) in
        [("meshopt", 1.1e-6), ("khr-meshopt,rot16", 1.4e-4), ("rot16", 6.2e-5), ("plain", 0.0)]
    {
        let (document, report) = edited(&plain, variant);
        keep(&format!("edited-{variant}.glb"), &write(&document));
        let (back, _) = to_scene(&document);
        let (numbers, angle) = compare(&scene, &back);
        assert!(numbers <= 1e-6 && angle <= bound + 3e-8, "{variant}: {numbers} {angle}");
        assert_eq!(back.nodes, to_scene(&try_read(&plain).unwrap()).0.nodes);
        assert_eq!(
            (&back.clips[0].name, &back.clips[0].markers),
            (&scene.clips[0].name, &scene.clips[0].markers)
        );
        assert_eq!(report.losses.is_empty(), variant == "plain", "{report:?}");
        let (length, made) = (write(&document).len(), write(&packed(&scene, variant).0).len());
        assert!(length <= made + 100, "{variant}: {length} and {made}");
        // And back to floats, which are then what the file showed.
        let (restored, _) = edited(&write(&document), "plain");
        assert_eq!(to_scene(&restored).0.clips, back.clips);
    }
}

#[test]
fn text_and_files_without_motion_can_be_stored_in_another_way_too() {
    let text = Gltf::from_scene(&lively(), &FromScene::default(), &mut Report::default()).unwrap();
    let bytes = Gltf::write(&text, &WriteOptions::default()).unwrap().main;
    let (document, _) = edited(&bytes, "meshopt");
    assert_eq!(document.parts.extensions_required, ["EXT_meshopt_compression"]);
    assert_eq!(document.buffers.len(), 3);
    assert!(compare(&lively(), &to_scene(&document).0).0 <= 1e-6);
    let still = glb(r#"{"asset":{"version":"2.0"}}"#, None);
    assert_eq!(write(&edited(&still, "meshopt").0), still);
}

#[test]
fn motion_that_cannot_be_kept_whole_is_left_alone() {
    let draft = walk().swap("{\"node\":1,\"path\":\"rotation\"}", "{\"path\":\"rotation\"}");
    let mut document = try_read(&draft.glb()).unwrap();
    let before = document.clone();
    let edit = Edit { variant: Some("rot16".into()), ..Edit::default() };
    let error = Glb::edit(&mut document, &edit, &mut Report::default()).unwrap_err().to_string();
    assert!(error.contains("/animations/0/channels/1"), "{error}");
    assert_eq!(document, before);
}

#[test]
fn bytes_of_replaced_motion_are_cut_out_wherever_they_lie() {
    // Between two views of a mesh.
    let mesh = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3,\"NORMAL\":4}}]}],\"scene\":0";
    let accessors = concat!(
        "\"type\":\"VEC4\"},{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},",
        "{\"bufferView\":4,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"
    );
    let views = concat!(
        "{\"buffer\":0,\"byteOffset\":84,\"byteLength\":48},{\"buffer\":0,\"byteLength\":36},",
        "{\"buffer\":0,\"byteOffset\":132,\"byteLength\":36}"
    );
    let mut draft = walk()
        .swap("\"scene\":0", mesh)
        .swap("\"type\":\"VEC4\"}", accessors)
        .swap("{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}", views)
        .swap("\"byteOffset\":12,", "\"byteOffset\":48,")
        .swap("{\"buffer\":0,\"byteLength\":12}", "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12}");
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let normals = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    draft.data = [floats(&corners), draft.data, floats(&normals)].concat();
    let before = try_read(&draft.glb()).unwrap();
    let (document, _) = edited(&draft.glb(), "rot16");
    assert_eq!(document.parts.buffers[0].byte_length, 36 + 36 + 12 + 36 + 24);
    let (was, is) = (to_scene(&before).0, to_scene(&document).0);
    assert_eq!(was.meshes, is.meshes);
    assert_eq!(was.meshes[0].primitives[0].normals[2], [0.0, 0.0, 1.0]);
    assert!(compare(&was, &is).1 <= 6.2e-5);
}
