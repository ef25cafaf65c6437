//! Drawings of scenes, and that nothing in a scene makes drawing fail.

use dopesheet_core::model::{
    AlphaMode, Axis, Basis, Camera, CameraIndex, Channel, Clip, Curve, ImageIndex, Law, Laws, Lens, Material,
    MaterialImage, MaterialIndex, Mesh, MeshIndex, MorphDelta, MorphSet, MorphSetIndex, Node, NodeIndex,
    Primitive, Property, Scene, Skin, SkinIndex, Target, TargetKind, Times, Track, Transform, VertexJoints,
};
use dopesheet_core::units::Seconds;
use dopesheet_draw::raster::raster;
use dopesheet_draw::{Direction, Drawing, Frame, Ground, Stage, Theme};
use std::borrow::Cow;

fn at(translation: [f64; 3]) -> Transform {
    Transform { translation, ..Transform::IDENTITY }
}

fn curve(width: usize, values: &[f32]) -> Curve {
    let times = (0..values.len() / width).map(|key| key as f64).collect::<Vec<_>>();
    Curve::new(Times::Seconds(times.into()), width, values.to_vec(), Laws::uniform(Law::LINEAR))
}

fn track(kind: TargetKind, name: &str, node: Option<usize>, property: Property, values: &[f32]) -> Track {
    let width = match property {
        Property::Translation => 3,
        Property::Rotation => 4,
        _ => 1,
    };
    let target = Target::new(kind, name, 0, node.map(NodeIndex));
    Track { target, channels: vec![Channel::whole(property, curve(width, values))] }
}

fn clip(tracks: Vec<Track>) -> Clip {
    Clip { duration: Seconds(1.0), tracks, ..Clip::default() }
}

fn drawing(scene: &Scene, clip: &Clip, time: f64) -> Drawing {
    let stage = Stage::new(scene.clone().into(), clip.clone().into());
    let moment = stage.player().at(Seconds(time));
    stage.drawing(&moment, &Theme::LIGHT)
}

/// A triangle whose third corner follows a second joint.
fn bent(basis: Basis) -> Scene {
    let mut scene = Scene::new(basis);
    scene.push_node(Node::new("root", None, Transform::IDENTITY));
    scene.push_node(Node::new("tip", Some(NodeIndex(0)), at([0.0, 1.0, 0.0])));
    let bound = |joint| VertexJoints { joints: [joint, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
    let primitive = Primitive {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        joints: vec![bound(0), bound(0), bound(1)],
        indices: vec![0, 1, 2],
        morphs: vec![MorphDelta { positions: vec![(0, [0.0, 0.0, 4.0])], ..MorphDelta::default() }],
        ..Primitive::default()
    };
    scene.meshes.push(Mesh { name: String::new(), primitives: vec![primitive] });
    let mut bind = [0.0; 16];
    [0, 5, 10, 15].into_iter().for_each(|i| bind[i] = 1.0);
    let mut moved = bind;
    moved[13] = -1.0;
    scene.skins.push(Skin {
        name: String::new(),
        joints: vec![NodeIndex(0), NodeIndex(1)],
        inverse_bind: vec![bind, moved],
    });
    scene.morph_sets.push(MorphSet { name: String::new(), morphs: vec!["push".into()], rest: Vec::new() });
    scene.push_node(Node {
        mesh: Some(MeshIndex(0)),
        skin: Some(SkinIndex(0)),
        morphs: Some(MorphSetIndex(0)),
        ..Node::new("body", None, Transform::IDENTITY)
    });
    scene
}

#[test]
fn skins_follow_their_joints_and_morphs_their_weights() {
    let clip = clip(vec![
        track(TargetKind::Joint, "tip", Some(1), Property::Translation, &[0.0, 1.0, 0.0, 0.0, 3.0, 0.0]),
        track(TargetKind::Morph, "push", None, Property::Weight, &[0.0, 1.0]),
    ]);
    let drawn = drawing(&bent(Basis::GLTF), &clip, 0.5);
    assert_eq!(drawn.surfaces.len(), 1);
    assert_eq!(drawn.surfaces[0].positions, [[0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(*drawn.surfaces[0].indices, [0, 1, 2]);
    assert!(drawn.lines.is_empty(), "a mesh needs no skeleton");
}

#[test]
fn joints_of_a_mesh_are_named_and_drawn_on_demand() {
    let moves = [0.0, 1.0, 0.0, 0.0, 3.0, 0.0];
    let clip = clip(vec![track(TargetKind::Joint, "tip", Some(1), Property::Translation, &moves)]);
    let stage = Stage::new(bent(Basis::GLTF).into(), clip.into());
    let moment = stage.player().at(Seconds(1.0));
    let joints: Vec<_> = stage.joints(&moment).filter(|(node, _)| node.0 < 2).collect();
    assert_eq!(joints, [(NodeIndex(0), [0.0; 3]), (NodeIndex(1), [0.0, 3.0, 0.0])]);
    let bones = stage.bones(&moment, &Theme::LIGHT);
    assert!(bones.lines.iter().any(|dot| dot.ends == [[0.0, 3.0, 0.0]; 2]), "{bones:?}");
    assert!((stage.size() - 3.0).abs() < 1e-6, "{}", stage.size());
}

#[test]
fn cameras_see_along_their_axis_with_the_field_of_view_of_the_moment() {
    let mut scene = Scene::new(Basis::GLTF);
    let lens = Lens::Perspective { yfov_rad: 1.0, aspect: None };
    scene.cameras.push(Camera { name: "eye".into(), lens, near: 0.1, far: None });
    scene.push_node(Node { camera: Some(CameraIndex(0)), ..Node::new("eye", None, at([0.0, 2.0, 5.0])) });
    let clip = clip(vec![track(TargetKind::Camera, "eye", Some(0), Property::YFov, &[1.0, 0.5])]);
    let stage = Stage::new(scene.into(), clip.into());
    let moment = stage.player().at(Seconds(1.0));
    let [(node, view)] = stage.camera_views(&moment).collect::<Vec<_>>()[..] else { panic!("one camera") };
    assert_eq!(
        (node, view.eye.to_array(), view.ahead.to_array()),
        (NodeIndex(0), [0.0, 2.0, 5.0], [0.0, 0.0, -1.0])
    );
    assert!((view.tan_half - 0.25_f32.tan()).abs() < 1e-6, "{}", view.tan_half);
}

#[test]
fn what_is_drawn_is_in_metres_and_axes_of_gltf() {
    let basis = Basis { metres_per_unit: Some(0.1), ..Basis::UNITY };
    let drawn = drawing(&bent(basis), &Clip::default(), 0.0);
    assert_eq!(drawn.surfaces[0].positions, [[0.0, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.1, 0.0]]);
    assert_eq!(*drawn.surfaces[0].indices, [0, 2, 1], "a mirror turns triangles round");
}

#[test]
fn a_figure_that_looks_back_at_rest_faces_the_viewer() {
    for side in [0.1, -0.1] {
        let mut scene = Scene::new(Basis::GLTF);
        for (name, y) in [("Hips", 1.0), ("Spine", 1.1), ("Head", 1.5)] {
            scene.push_node(Node::new(name, None, at([0.0, y, 0.02])));
        }
        for (word, x) in [("Left", side), ("Right", -side)] {
            for (part, y) in
                [("UpLeg", 0.9), ("Leg", 0.5), ("Foot", 0.1), ("Arm", 1.3), ("ForeArm", 1.2), ("Hand", 1.1)]
            {
                scene.push_node(Node::new(format!("{word}{part}"), None, at([x, y, 0.0])));
            }
        }
        let foot = scene.nodes.iter().position(|node| node.name == "LeftFoot").unwrap();
        let step = [side as f32, 0.1, 0.5];
        let steps = vec![track(TargetKind::Joint, "LeftFoot", Some(foot), Property::Translation, &step)];
        let stage = Stage::new(scene.into(), clip(steps).into());
        let moment = stage.player().at(Seconds(0.0));
        let places: Vec<[f32; 3]> =
            stage.joints(&moment).filter(|(n, _)| n.0 == foot).map(|(_, p)| p).collect();
        assert_eq!(places, [[0.1, 0.1, if side > 0.0 { 0.5 } else { -0.5 }]], "{side}");
    }
}

#[test]
fn what_is_not_shown_is_not_drawn() {
    let hidden = clip(vec![track(TargetKind::Custom, "model", None, Property::Visible, &[0.0, 0.0])]);
    assert!(drawing(&bent(Basis::GLTF), &hidden, 0.5).surfaces.is_empty());
}

#[test]
fn without_a_mesh_joints_have_bones() {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("hips", None, Transform::IDENTITY));
    scene.push_node(Node::new("knee", Some(NodeIndex(0)), at([0.0, -1.0, 0.0])));
    let moves = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
    let clip = clip(vec![track(TargetKind::Joint, "hips", Some(0), Property::Translation, &moves)]);
    let drawn = drawing(&scene, &clip, 1.0);
    assert_eq!((drawn.surfaces.len(), drawn.lines.len()), (1, 2));
    assert_eq!(drawn.lines[1].ends, [[0.0, -1.0, 2.0]; 2]);
}

/// A hand whose joints stand side by side, and the node of its pinch.
fn hand() -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("LeftHand", None, Transform::IDENTITY));
    let joints = ["Wrist", "ThumbProximalJoint", "ThumbTip", "IndexKnuckle", "IndexTip", "Palm"];
    for (place, joint) in (0..).zip(joints) {
        let rest = at([f64::from(place) * 0.1, 1.0, 0.0]);
        scene.push_node(Node::new(format!("Left_{joint}"), Some(NodeIndex(0)), rest));
    }
    scene.push_node(Node::new("Left_Pinch", Some(NodeIndex(0)), Transform::IDENTITY));
    scene
}

#[test]
fn hands_have_fingers_and_show_their_pinch_unless_they_are_lost() {
    let switch = |name: &'static str, value: f32| {
        let named = Property::Named(Cow::Borrowed(name));
        track(TargetKind::Hand, "left.hand", Some(7), named, &[value, value])
    };
    let moved = || track(TargetKind::Joint, "Left_Palm", Some(6), Property::Translation, &[0.5, 1.0, 0.0]);
    let drawn = |switches: Vec<Track>| {
        let tracks = switches.into_iter().chain([moved()]).collect();
        let drawn = drawing(&hand(), &clip(tracks), 0.5);
        (drawn.surfaces.len(), drawn.lines.len())
    };
    assert_eq!(drawn(vec![switch("pinch", 0.0)]), (1, 0));
    assert_eq!(drawn(vec![switch("pinch", 1.0), switch("tracked", 1.0)]), (2, 1));
    assert_eq!(drawn(vec![switch("tracked", 0.0)]), (0, 0));
}

#[test]
fn surfaces_have_the_colours_the_set_of_the_picture_and_the_morphed_normals() {
    let mut scene = bent(Basis::GLTF);
    scene.materials.push(Material {
        name: String::new(),
        base_color: [1.0; 4],
        base_color_image: Some(MaterialImage { image: ImageIndex(0), uv_set: 1 }),
        emissive: [0.0; 3],
        emissive_image: None,
        normal_map: None,
        metallic: 0.0,
        roughness: 1.0,
        alpha: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
        extras: None,
    });
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.material = Some(MaterialIndex(0));
    primitive.uv_sets = vec![vec![[9.0; 2]; 3], vec![[0.25, 0.5]; 3]];
    primitive.colors = vec![vec![[0.5, 0.25, 1.0, 1.0]; 3], vec![[0.0; 4]; 3]];
    primitive.morphs[0].normals = vec![(0, [1.0, 0.0, 0.0])];
    primitive.morphs[0].uv_sets = vec![vec![(1, [7.0; 2])], vec![(2, [0.25, 0.0])]];
    let push = clip(vec![track(TargetKind::Morph, "push", None, Property::Weight, &[1.0, 1.0])]);
    let drawn = drawing(&scene, &push, 0.5);
    let surface = &drawn.surfaces[0];
    assert_eq!(surface.colors[..], [[0.5, 0.25, 1.0, 1.0]; 3]);
    assert_eq!(surface.uvs[..], [[0.25, 0.5], [0.25, 0.5], [0.5, 0.5]]);
    let [x, y, z] = surface.normals[0];
    assert!((x - 0.5_f32.sqrt()).abs() < 1e-6 && y == 0.0 && (z - x).abs() < 1e-6, "{:?}", surface.normals);
    scene.meshes[0].primitives[0].normals.clear();
    let bare = drawing(&scene, &push, 0.5);
    assert!(
        bare.surfaces[0].normals[0] == [0.0, 0.0, 1.0],
        "normals that the file leaves out stay as they are"
    );
}

#[test]
fn scenes_that_make_no_sense_are_drawn_without_a_panic() {
    let mut scene = bent(Basis { up: Axis::PosZ, front: Axis::PosY, ..Basis::GLTF });
    scene.nodes[1].rest = Transform {
        translation: [f64::NAN, f64::INFINITY, 1e300],
        rotation: [0.0; 4],
        scale: [f64::NEG_INFINITY, 0.0, f64::NAN],
    };
    scene.nodes[0].mesh = Some(MeshIndex(99));
    scene.skins[0].joints[1] = NodeIndex(99);
    scene.skins[0].inverse_bind.clear();
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.indices = vec![0, 1, 2, 0, 7, 1, 2];
    primitive.normals.clear();
    primitive.joints[2].joints = [9; 4];
    primitive.morphs[0].positions = vec![(77, [f32::NAN; 3]), (1, [f32::MAX; 3])];
    let wild = clip(vec![
        track(TargetKind::Joint, "tip", Some(1), Property::Rotation, &[f32::NAN; 8]),
        track(TargetKind::Joint, "gone", Some(88), Property::Translation, &[f32::MAX; 6]),
        track(TargetKind::Morph, "push", None, Property::Weight, &[f32::INFINITY, f32::NAN]),
    ]);
    for duration in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        let wild = Clip { duration: Seconds(duration), ..wild.clone() };
        let drawn = drawing(&scene, &wild, 0.3);
        let mut frame = Frame::new(Direction::ThreeQuarter, 1.0);
        frame.add(drawn.points());
        let ground = frame.bounds().map_or_else(Drawing::default, |b| Ground::below(b).drawing(&Theme::DARK));
        let picture = raster(&[&ground, &drawn], &[], &frame.view(), [20, 20], [0; 4]);
        assert_eq!(picture.pixels.len(), 400);
    }
}

#[test]
fn the_way_from_the_origin_to_the_hips_is_no_bone() {
    let mut scene = Scene::new(Basis::GLTF);
    scene.push_node(Node::new("Root", None, Transform::IDENTITY));
    scene.push_node(Node::new("Hips", Some(NodeIndex(0)), at([0.0, 1.0, 0.0])));
    scene.push_node(Node::new("Spine", Some(NodeIndex(1)), at([0.0, 0.2, 0.0])));
    let own = clip(vec![track(TargetKind::Joint, "Root", Some(0), Property::Translation, &[0.0; 6])]);
    let lowest = |scene: &Scene| {
        let drawn = drawing(scene, &own, 0.0);
        drawn
            .surfaces
            .iter()
            .flat_map(|surface| &surface.positions)
            .map(|point| point[1])
            .fold(f32::INFINITY, f32::min)
    };
    assert!(lowest(&scene) > 0.9, "{}", lowest(&scene));
    scene.nodes[1].name = "hinge".into();
    assert!(lowest(&scene) < 0.1, "what is no figure has all of its bones");
}
