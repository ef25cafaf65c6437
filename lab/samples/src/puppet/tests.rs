use super::surface::{other_side, smallest_volume};
use super::*;
use dopesheet::core::diag::Report;
use dopesheet::core::format::{ReadOptions, Source};
use dopesheet_mmd::pmx::{Bone, FrameElement, MorphOffsets};
use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Bones of the left side and of the middle with their parents, as models of MikuMikuDance have them.
const BONES: [(&str, &str); 54] = [
    ("操作中心", ""),
    ("全ての親", ""),
    ("センター", "全ての親"),
    ("グルーブ", "センター"),
    ("腰", "グルーブ"),
    ("下半身", "腰"),
    ("上半身", "腰"),
    ("上半身2", "上半身"),
    ("首", "上半身2"),
    ("頭", "首"),
    ("両目", "頭"),
    ("左目", "頭"),
    ("左肩P", "上半身2"),
    ("左肩", "左肩P"),
    ("左肩C", "左肩"),
    ("左腕", "左肩C"),
    ("左腕捩", "左腕"),
    ("左腕捩1", "左腕"),
    ("左腕捩2", "左腕"),
    ("左腕捩3", "左腕"),
    ("左ひじ", "左腕捩"),
    ("左手捩", "左ひじ"),
    ("左手捩1", "左ひじ"),
    ("左手捩2", "左ひじ"),
    ("左手捩3", "左ひじ"),
    ("左手首", "左手捩"),
    ("左ダミー", "左手首"),
    ("左親指０", "左手首"),
    ("左親指１", "左親指０"),
    ("左親指２", "左親指１"),
    ("左人指１", "左手首"),
    ("左人指２", "左人指１"),
    ("左人指３", "左人指２"),
    ("左中指１", "左手首"),
    ("左中指２", "左中指１"),
    ("左中指３", "左中指２"),
    ("左薬指１", "左手首"),
    ("左薬指２", "左薬指１"),
    ("左薬指３", "左薬指２"),
    ("左小指１", "左手首"),
    ("左小指２", "左小指１"),
    ("左小指３", "左小指２"),
    ("腰キャンセル左", "下半身"),
    ("左足", "腰キャンセル左"),
    ("左ひざ", "左足"),
    ("左足首", "左ひざ"),
    ("左つま先", "左足首"),
    ("左足IK親", "全ての親"),
    ("左足ＩＫ", "左足IK親"),
    ("左つま先ＩＫ", "左足ＩＫ"),
    ("左足D", "腰キャンセル左"),
    ("左ひざD", "左足D"),
    ("左足首D", "左ひざD"),
    ("左足先EX", "左足首D"),
];

fn named<'a>(model: &'a Document, name: &str) -> &'a Bone {
    model.bones.iter().find(|bone| model.text(&bone.name) == name).unwrap_or_else(|| panic!("{name}"))
}

fn name(model: &Document, bone: Index) -> String {
    bone.get().map(|bone| model.text(&model.bones[bone].name)).unwrap_or_default()
}

fn vector(v: [f32; 3]) -> DVec3 {
    v.map(f64::from).into()
}

fn mirrored(v: [f32; 3]) -> DVec3 {
    vector([-v[0], v[1], v[2]])
}

/// Bones and weights of a vertex, those of weight 0 left out.
fn weights(model: &Document, skinning: &Skinning) -> BTreeMap<String, f64> {
    let pairs = match *skinning {
        Skinning::Bdef1(bone) => vec![(bone, 1.0)],
        Skinning::Bdef2([a, b], weight) => vec![(a, f64::from(weight)), (b, 1.0 - f64::from(weight))],
        Skinning::Bdef4(bones, weights) => bones.into_iter().zip(weights.map(f64::from)).collect(),
        other => panic!("{other:?}"),
    };
    pairs
        .into_iter()
        .filter(|(_, weight)| *weight != 0.0)
        .map(|(bone, weight)| (name(model, bone), weight))
        .collect()
}

#[test]
fn it_is_a_legal_model_that_is_read_back_as_it_is() {
    let model = document();
    let mut report = Report::default();
    Pmx::check(&model, &mut report);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let bytes = Pmx::write(&model, &WriteOptions::default()).unwrap().main;
    assert_eq!(Pmx::read(&Source::new(&bytes), &ReadOptions::default(), &mut report).unwrap(), model);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn files_are_small() {
    let sizes: Vec<usize> = files().unwrap().iter().map(|file| file.bytes.len()).collect();
    assert!(sizes[0] <= 400_000 && sizes[1] <= 60_000, "{sizes:?}");
}

#[test]
fn every_standard_and_semi_standard_bone_hangs_where_it_should() {
    let model = document();
    let right = BONES.iter().filter(|(bone, _)| bone.contains('左')).count();
    assert_eq!(model.bones.len(), BONES.len() + right);
    for (bone, parent) in BONES {
        assert_eq!(name(&model, named(&model, bone).parent), parent, "{bone}");
        let (bone, parent) = (other_side(bone), other_side(parent));
        assert_eq!(name(&model, named(&model, &bone).parent), parent, "{bone}");
    }
}

#[test]
fn every_bone_and_morph_has_an_english_name_of_its_own() {
    let model = document();
    let bones = model.bones.iter().map(|bone| model.text(&bone.english_name));
    let morphs = model.morphs.iter().map(|morph| model.text(&morph.english_name));
    let names: BTreeSet<String> =
        bones.chain(morphs).filter(|name| name.is_ascii() && !name.is_empty()).collect();
    assert_eq!(names.len(), model.bones.len() + model.morphs.len());
}

#[test]
fn bones_follow_others_as_in_models_of_mikumikudance() {
    let model = document();
    let expected = [
        ("左目", "両目", 1.0),
        ("左肩C", "左肩P", -1.0),
        ("左腕捩1", "左腕捩", 0.25),
        ("左腕捩2", "左腕捩", 0.5),
        ("左腕捩3", "左腕捩", 0.75),
        ("左手捩1", "左手捩", 0.25),
        ("左手捩2", "左手捩", 0.5),
        ("左手捩3", "左手捩", 0.75),
        ("腰キャンセル左", "腰", -1.0),
        ("左足D", "左足", 1.0),
        ("左ひざD", "左ひざ", 1.0),
        ("左足首D", "左足首", 1.0),
    ];
    for (bone, source, ratio) in expected {
        for side in [str::to_owned, other_side] {
            let append = named(&model, &side(bone)).append.unwrap();
            assert_eq!((name(&model, append.source), append.ratio), (side(source), ratio), "{bone}");
        }
    }
    assert_eq!(model.bones.iter().filter(|bone| bone.append.is_some()).count(), 2 * expected.len());
}

#[test]
fn the_right_side_mirrors_the_left() {
    let model = document();
    for bone in &model.bones {
        let other = named(&model, &other_side(&model.text(&bone.name)));
        let is_right = model.text(&bone.name).contains('右');
        if !is_right {
            assert!(vector(other.head).distance(mirrored(bone.head)) < 1e-6, "{}", model.text(&bone.name));
        }
    }
    let mut places: BTreeMap<[i64; 3], Vec<&Vertex>> = BTreeMap::new();
    let cell = |v: DVec3| v.to_array().map(|x| (x * 10.0).round() as i64);
    for vertex in &model.vertices {
        places.entry(cell(vector(vertex.position))).or_default().push(vertex);
    }
    let has_twin = |vertex: &Vertex| {
        let place = mirrored(vertex.position);
        let [x, y, z] = cell(place);
        let cells =
            (-1..=1).flat_map(|a| (-1..=1).flat_map(move |b| (-1..=1).map(move |c| [x + a, y + b, z + c])));
        let expected: BTreeMap<String, f64> = weights(&model, &vertex.skinning)
            .into_iter()
            .map(|(bone, weight)| {
                (if bone.contains('左') { other_side(&bone) } else { bone.replace('右', "左") }, weight)
            })
            .collect();
        cells.filter_map(|cell| places.get(&cell)).flatten().any(|twin| {
            let found = weights(&model, &twin.skinning);
            vector(twin.position).distance(place) < 1e-6
                && vector(twin.normal).distance(mirrored(vertex.normal)) < 1e-5
                && found.keys().eq(expected.keys())
                && found.values().zip(expected.values()).all(|(a, b)| (a - b).abs() < 1e-6)
        })
    };
    let alone = model.vertices.iter().position(|vertex| !has_twin(vertex));
    assert_eq!(alone.map(|vertex| model.vertices[vertex]), None);
}

#[test]
fn weights_sum_to_one() {
    let model = document();
    for vertex in &model.vertices {
        let weights = weights(&model, &vertex.skinning);
        let sum: f64 = weights.values().sum();
        assert!((sum - 1.0).abs() < 1e-6 && weights.values().all(|weight| *weight > 0.0), "{vertex:?}");
    }
}

#[test]
fn the_skin_hangs_on_bones_that_follow_the_legs() {
    let model = document();
    let used: BTreeSet<String> =
        model.vertices.iter().flat_map(|vertex| weights(&model, &vertex.skinning).into_keys()).collect();
    for bone in ["左足", "左ひざ", "左足首", "右足", "右ひざ", "右足首"] {
        assert!(!used.contains(bone) && used.contains(&format!("{bone}D")), "{bone}");
    }
    for bone in ["上半身", "下半身", "頭", "左目", "左肩", "左腕捩2", "左手捩", "左小指３", "左足先EX"]
    {
        assert!(used.contains(bone), "{bone}");
    }
}

#[test]
fn the_figure_stands_on_the_floor_and_is_as_tall_as_the_mascot() {
    let model = document();
    let heights = || model.vertices.iter().map(|vertex| vertex.position[1]);
    let (low, high) = (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
    assert!(low == 0.0 && (19.75..=20.2).contains(&high), "{low} {high}");
}

#[test]
fn arms_point_35_degrees_below_the_horizontal() {
    let model = document();
    let arm = vector(named(&model, "左手首").head) - vector(named(&model, "左腕").head);
    assert!((arm.y.atan2(arm.x).to_degrees() + 35.0).abs() < 1e-4 && arm.z == 0.0);
    let axis = vector(named(&model, "左腕捩").fixed_axis.unwrap());
    assert!(axis.distance(arm.normalize()) < 1e-6);
}

#[test]
fn knees_bend_to_the_back() {
    let model = document();
    for side in ["左", "右"] {
        let head = |bone: &str| vector(named(&model, &format!("{side}{bone}")).head);
        let ik = named(&model, &format!("{side}足ＩＫ")).ik.clone().unwrap();
        let links: Vec<String> = ik.links.iter().map(|link| name(&model, link.bone)).collect();
        assert_eq!(links, [format!("{side}ひざ"), format!("{side}足")]);
        let limit = ik.links[0].limit.unwrap();
        let degrees = [limit.min_rad[0], limit.max_rad[0]].map(f32::to_degrees);
        assert!((degrees[0] + 180.0).abs() < 1e-4 && (degrees[1] + 0.5).abs() < 1e-4, "{degrees:?}");
        let bent = DQuat::from_rotation_x(f64::from(limit.min_rad[0]) / 2.0) * (head("足首") - head("ひざ"));
        assert!(bent.z > 4.0, "the shin points to the back, which is +Z: {bent}");
        let straight = head("足").lerp(head("足首"), 0.5);
        assert!(head("ひざ").z < straight.z, "the knee is in front of the line from hip to ankle");
    }
}

#[test]
fn triangles_face_outwards() {
    let model = document();
    let corner = |index: &u32| &model.vertices[*index as usize];
    for triangle in model.faces.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|n| vector(corner(&triangle[n]).position));
        let cross = (b - a).cross(c - a);
        let normals: DVec3 = triangle.iter().map(|index| vector(corner(index).normal)).sum();
        assert!(cross.dot(normals) > 0.0, "{a} {b} {c} {normals}");
    }
    let face = model.materials.last().unwrap().index_count as usize;
    for vertex in &model.faces[model.faces.len() - face..] {
        assert!(corner(vertex).normal[2] < 0.0, "what lies on the face looks to the front");
    }
    for (look, part) in parts() {
        let pieces = smallest_volume(&part);
        assert!(look.edge.is_none() || pieces > 0.0, "{}: a piece is inside out ({pieces})", look.english);
    }
}

#[test]
fn the_picture_is_used_inside_its_borders() {
    let model = document();
    assert!(model.vertices.iter().flat_map(|vertex| vertex.uv).all(|share| share > 0.0 && share < 1.0));
}

#[test]
fn every_morph_shows() {
    let model = document();
    let mut vertex_morphs = 0;
    for morph in &model.morphs {
        let name = model.text(&morph.name);
        match &morph.offsets {
            MorphOffsets::Vertex(offsets) => {
                let most = offsets.iter().map(|o| vector(o.offset).length()).fold(0.0, f64::max);
                assert!(most > 0.05, "{name}: {most}");
                let sides = offsets.iter().map(|o| model.vertices[o.vertex as usize].position[0] > 0.0);
                let sides: BTreeSet<bool> = sides.collect();
                let expected = match name.as_str() {
                    "ウィンク" => BTreeSet::from([true]),
                    "ウィンク右" => BTreeSet::from([false]),
                    _ => BTreeSet::from([false, true]),
                };
                assert_eq!(sides, expected, "{name}");
                vertex_morphs += 1;
            }
            MorphOffsets::Group(shares) => {
                let moved: Vec<_> =
                    shares.iter().map(|share| &model.morphs[share.morph.get().unwrap()]).collect();
                assert!(moved.iter().all(|morph| matches!(morph.offsets, MorphOffsets::Vertex(_))), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert_eq!((vertex_morphs, model.morphs.len()), (13, 14));
}

#[test]
fn editors_show_every_visible_bone_and_every_morph_once() {
    let model = document();
    let shown: Vec<FrameElement> =
        model.display_frames.iter().flat_map(|frame| frame.elements.clone()).collect();
    let visible = |bone: &Bone| bone.flags.has(dopesheet_mmd::pmx::BoneFlags::VISIBLE);
    for (index, bone) in model.bones.iter().enumerate() {
        let times = shown.iter().filter(|e| **e == FrameElement::Bone(Index::of(index))).count();
        assert_eq!(times, usize::from(visible(bone)), "{}", model.text(&bone.name));
    }
    let morphs = shown.iter().filter(|e| matches!(e, FrameElement::Morph(_))).count();
    assert_eq!(morphs, model.morphs.len());
}
