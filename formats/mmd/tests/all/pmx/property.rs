//! Laws that hold for whatever documents there are.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ToScene, WriteOptions};
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{
    Append, AppendParts, Bone, BoneFlags, BoneOffset, DisplayFrame, Document, Encoding, FrameElement,
    GroupOffset, Header, Ik, IkLimit, IkLink, Index, IndexSize, IndexSizes, Joint, Material, MaterialFlags,
    MaterialOffset, Morph, MorphOffsets, RigidBody, Sdef, Skinning, SoftBody, Tail, Text, Toon, UvOffset,
    Version, Vertex, VertexOffset,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(prop_oneof![Just(0.0), Just(1.0), -10f32..10.0], N).prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn index() -> impl Strategy<Value = Index> {
    prop_oneof![8 => -1..6, 1 => -128..128].prop_map(Index)
}

fn indices<const N: usize>() -> impl Strategy<Value = [Index; N]> {
    vec(index(), N).prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        Just(Text::default()),
        Just(Text::new("頭", Encoding::Utf8)),
        Just(Text::new("a\\b.png", Encoding::Utf16)),
        vec(any::<u8>(), 0..6).prop_map(Text),
    ]
}

fn vertex() -> impl Strategy<Value = Vertex> {
    let skinning = prop_oneof![
        index().prop_map(Skinning::Bdef1),
        (indices(), -0.5f32..1.5).prop_map(|(bones, weight)| Skinning::Bdef2(bones, weight)),
        (indices(), numbers()).prop_map(|(bones, weights)| Skinning::Bdef4(bones, weights)),
        (indices(), 0f32..1.0, numbers(), numbers(), numbers()).prop_map(
            |(bones, weight, center, r0, r1)| Skinning::Sdef(Sdef { bones, weight, center, r0, r1 })
        ),
        (indices(), numbers()).prop_map(|(bones, weights)| Skinning::Qdef(bones, weights)),
    ];
    (numbers(), numbers(), numbers(), skinning, 0f32..2.0).prop_map(
        |(position, normal, uv, skinning, edge_scale)| Vertex { position, normal, uv, skinning, edge_scale },
    )
}

fn material() -> impl Strategy<Value = Material> {
    let toon = prop_oneof![index().prop_map(Toon::Texture), any::<u8>().prop_map(Toon::Shared)];
    (text(), numbers(), any::<u8>(), indices(), any::<u8>(), toon, -3..9).prop_map(
        |(name, diffuse, flags, [texture, sphere_texture], sphere_mode, toon, index_count)| Material {
            memo: name.clone(),
            name,
            diffuse,
            flags: MaterialFlags(flags),
            texture,
            sphere_texture,
            sphere_mode,
            toon,
            index_count,
            ..Material::default()
        },
    )
}

fn ik() -> impl Strategy<Value = Ik> {
    let limit = (numbers(), numbers()).prop_map(|(min_rad, max_rad)| IkLimit { min_rad, max_rad });
    let link = (index(), option::of(limit)).prop_map(|(bone, limit)| IkLink { bone, limit });
    (index(), -1..300, -1f32..7.0, vec(link, 0..4)).prop_map(|(target, iterations, step_rad, links)| Ik {
        target,
        iterations,
        step_rad,
        links,
    })
}

fn bone() -> impl Strategy<Value = Bone> {
    let tail = prop_oneof![index().prop_map(Tail::Bone), numbers().prop_map(Tail::Offset)];
    let parts =
        prop_oneof![Just(AppendParts::Rotation), Just(AppendParts::Translation), Just(AppendParts::Both)];
    let append =
        (index(), -2f32..2.0, parts).prop_map(|(source, ratio, parts)| Append { source, ratio, parts });
    let axes = (numbers(), numbers()).prop_map(|(x, z)| [x, z]);
    // The bits that other fields do not imply.
    let flags = any::<u16>().prop_map(|bits| BoneFlags(bits & 0xd0de));
    let plain = (text(), numbers(), index(), -1..3, flags, tail);
    (
        plain,
        option::of(append),
        option::of(numbers()),
        option::of(axes),
        option::of(any::<i32>()),
        option::of(ik()),
    )
        .prop_map(
            |((name, head, parent, level, flags, tail), append, fixed_axis, local_axes, key, ik)| Bone {
                name,
                head,
                parent,
                level,
                flags,
                tail,
                append,
                fixed_axis,
                local_axes,
                external_parent: key,
                ik,
                ..Bone::default()
            },
        )
}

fn offsets() -> impl Strategy<Value = MorphOffsets> {
    let group = || vec((index(), -1f32..2.0).prop_map(|(morph, ratio)| GroupOffset { morph, ratio }), 0..4);
    let vertex = (0..9u32, numbers()).prop_map(|(vertex, offset)| VertexOffset { vertex, offset });
    let bone = (index(), numbers(), numbers()).prop_map(|(bone, translation, rotation)| BoneOffset {
        bone,
        translation,
        rotation,
    });
    let uv = (0..9u32, numbers()).prop_map(|(vertex, offset)| UvOffset { vertex, offset });
    let material = (index(), any::<u8>(), numbers()).prop_map(|(material, operation, toon)| MaterialOffset {
        material,
        operation,
        toon,
        ..Default::default()
    });
    prop_oneof![
        group().prop_map(MorphOffsets::Group),
        vec(vertex, 0..4).prop_map(MorphOffsets::Vertex),
        vec(bone, 0..4).prop_map(MorphOffsets::Bone),
        (0..5u8, vec(uv, 0..4)).prop_map(|(set, offsets)| MorphOffsets::Uv { set, offsets }),
        vec(material, 0..3).prop_map(MorphOffsets::Material),
        group().prop_map(MorphOffsets::Flip),
    ]
}

fn frame() -> impl Strategy<Value = DisplayFrame> {
    let element = prop_oneof![index().prop_map(FrameElement::Bone), index().prop_map(FrameElement::Morph)];
    (text(), 0..3u8, vec(element, 0..4)).prop_map(|(name, special, elements)| DisplayFrame {
        name,
        special,
        elements,
        ..Default::default()
    })
}

fn header() -> impl Strategy<Value = Header> {
    let size = || prop_oneof![Just(IndexSize::One), Just(IndexSize::Two), Just(IndexSize::Four)];
    let sizes = (size(), size(), size(), size(), size(), size()).prop_map(
        |(vertex, texture, material, bone, morph, body)| IndexSizes {
            vertex,
            texture,
            material,
            bone,
            morph,
            body,
        },
    );
    let encoding = prop_oneof![Just(Encoding::Utf8), Just(Encoding::Utf16)];
    (any::<bool>(), encoding, 0..5u8, sizes, vec(any::<u8>(), 0..3)).prop_map(
        |(is_new, encoding, additional_uvs, index_sizes, extra)| Header {
            version: if is_new { Version::V2_1 } else { Version::V2_0 },
            encoding,
            additional_uvs,
            index_sizes,
            extra,
            ..Header::default()
        },
    )
}

prop_compose! {
    fn surface()(
        header in header(),
        vertices in vec(vertex(), 0..7),
        faces in vec(0..9u32, 0..18),
        textures in vec(text(), 0..3),
        materials in vec(material(), 0..4),
    ) -> Document {
        let mut document = Document { header, vertices, faces, textures, materials, ..Document::default() };
        for set in 0..usize::from(document.header.additional_uvs) {
            document.additional_uvs[set] = vec![[set as f32; 4]; document.vertices.len()];
        }
        document
    }
}

prop_compose! {
    fn document()(
        surface in surface(),
        bones in vec(bone(), 0..6),
        morphs in vec((text(), any::<u8>(), offsets()).prop_map(|(name, panel, offsets)| Morph { name, panel, offsets, ..Morph::default() }), 0..5),
        display_frames in vec(frame(), 0..3),
        bodies in vec((text(), index(), numbers(), any::<u8>()), 0..3),
        joints in vec((any::<u8>(), indices(), numbers()), 0..3),
        soft in vec((index(), vec(0..9u32, 0..3)), 0..2),
        trailing in vec(any::<u8>(), 0..5),
    ) -> Document {
        let rigid_bodies = bodies.into_iter().map(|(name, bone, size, mode)| RigidBody { name, bone, size, mode, ..RigidBody::default() });
        let joints = joints.into_iter().map(|(kind, bodies, position)| Joint { kind, bodies, position, ..Joint::default() });
        let soft = soft.into_iter().map(|(material, pins)| SoftBody { material, pins, ..SoftBody::default() }).collect();
        let soft_bodies = Some(soft).filter(|_| surface.header.version == Version::V2_1);
        Document {
            bones,
            morphs,
            display_frames,
            rigid_bodies: rigid_bodies.collect(),
            joints: joints.collect(),
            soft_bodies,
            trailing,
            ..surface
        }
    }
}

proptest! {
    #[test]
    fn a_document_survives_its_bytes(document in document()) {
        let bytes = Pmx::write(&document, &WriteOptions::default()).unwrap().main;
        prop_assert_eq!(dopesheet_testkit::read::<Pmx>(&bytes), document);
    }

    #[test]
    fn findings_have_their_codes_and_places(document in document()) {
        let mut report = Report::default();
        Pmx::check(&document, &mut report);
        for finding in &report.findings {
            let is_known = |c: &dopesheet_core::format::Check| c.code == finding.fault.code && c.severity == finding.severity;
            prop_assert!(Pmx::INFO.checks.iter().any(is_known), "{}", finding);
            prop_assert_ne!(&finding.fault.place, &dopesheet_core::diag::Place::File, "{}", finding);
        }
    }

    #[test]
    fn scenes_are_sound(document in document()) {
        let scene = Pmx::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
        for (index, node) in scene.nodes.iter().enumerate() {
            prop_assert!(node.parent.is_none_or(|parent| parent.0 < index));
        }
        for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let count = primitive.positions.len();
            prop_assert!(primitive.indices.iter().all(|index| (*index as usize) < count));
            prop_assert_eq!((primitive.normals.len(), primitive.uv_sets[0].len()), (count, count));
            prop_assert_eq!(primitive.joints.len(), if document.bones.is_empty() { 0 } else { count });
            for vertex in &primitive.joints {
                prop_assert!((vertex.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                prop_assert!(vertex.joints.iter().all(|joint| usize::from(*joint) < document.bones.len()));
            }
            prop_assert!(primitive.normals.iter().all(|n| (n.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4));
            let names = scene.morph_sets.first().map_or(0, |set| set.morphs.len());
            prop_assert_eq!(primitive.morphs.len(), names);
            for morph in &primitive.morphs {
                prop_assert!(morph.positions.windows(2).all(|pair| pair[0].0 < pair[1].0));
                prop_assert!(morph.positions.iter().all(|(vertex, _)| (*vertex as usize) < count));
            }
        }
    }
}
