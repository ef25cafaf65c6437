//! Laws that hold for whatever documents there are.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, Format, ToScene, WriteOptions};
use dopesheet_mmd::Pmd;
use dopesheet_mmd::pmd::{
    Bone, Document, English, FramedBone, Ik, Index, Joint, Material, Morph, MorphOffset, RigidBody, Vertex,
};
use dopesheet_mmd::text::Name;
use proptest::collection::vec;
use proptest::prelude::*;

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(prop_oneof![4 => Just(0.0), 4 => -10f32..10.0, 1 => Just(f32::INFINITY)], N)
        .prop_map(|v| std::array::from_fn(|n| v[n]))
}

fn name<const N: usize>() -> impl Strategy<Value = Name<N>> {
    prop_oneof![Just(""), Just("a"), Just("左ひざ"), Just("センター"), Just("a.png*b.sph")]
        .prop_map(|t| Name::encode(t, false).unwrap().name)
}

fn index() -> impl Strategy<Value = Index> {
    prop_oneof![6 => (0..6u16).prop_map(Index), 1 => Just(Index::NONE), 1 => any::<u16>().prop_map(Index)]
}

fn vertex() -> impl Strategy<Value = Vertex> {
    (numbers(), numbers(), numbers(), [index(), index()], any::<u8>(), 0..3u8).prop_map(
        |(position, normal, uv, bones, weight, edge_off)| Vertex {
            position,
            normal,
            uv,
            bones,
            weight,
            edge_off,
        },
    )
}

fn material() -> impl Strategy<Value = Material> {
    (numbers(), numbers::<1>(), numbers(), numbers(), any::<u8>(), 0..3u8, 0..12u32, name()).prop_map(
        |(diffuse, [shininess], specular, ambient, toon, edge, index_count, texture)| Material {
            diffuse,
            shininess,
            specular,
            ambient,
            toon,
            edge,
            index_count,
            texture,
        },
    )
}

fn bone() -> impl Strategy<Value = Bone> {
    (name(), index(), index(), 0..12u8, 0..120u16, numbers())
        .prop_map(|(name, parent, tail, kind, source, head)| Bone { name, parent, tail, kind, source, head })
}

fn ik() -> impl Strategy<Value = Ik> {
    (index(), index(), any::<u16>(), numbers::<1>(), vec(index(), 0..4)).prop_map(
        |(bone, target, iterations, [weight], links)| Ik { bone, target, iterations, weight, links },
    )
}

fn morph() -> impl Strategy<Value = Morph> {
    let offset = (0..8u32, numbers()).prop_map(|(index, offset)| MorphOffset { index, offset });
    (name(), 0..6u8, vec(offset, 0..4)).prop_map(|(name, panel, offsets)| Morph { name, panel, offsets })
}

fn rigid_body() -> impl Strategy<Value = RigidBody> {
    (name(), index(), 0..20u8, any::<u16>(), 0..4u8, numbers(), numbers(), numbers(), numbers::<5>(), 0..4u8)
        .prop_map(|(name, bone, group, mask, shape, size, position, rotation, [a, b, c, d, e], mode)| {
            RigidBody {
                name,
                bone,
                group,
                mask,
                shape,
                size,
                position,
                rotation,
                mass: a,
                linear_damping: b,
                angular_damping: c,
                restitution: d,
                friction: e,
                mode,
            }
        })
}

fn joint() -> impl Strategy<Value = Joint> {
    (name(), [0..4u32, 0..4u32], numbers(), numbers(), numbers(), numbers()).prop_map(
        |(name, bodies, position, rotation, linear_min, angular_spring)| Joint {
            name,
            bodies,
            position,
            rotation,
            linear_min,
            angular_spring,
            ..Joint::default()
        },
    )
}

prop_compose! {
    fn surface()(
        vertices in vec(vertex(), 0..5),
        faces in vec(0..6u16, 0..9),
        materials in vec(material(), 0..3),
        bones in vec(bone(), 0..6),
        ik in vec(ik(), 0..3),
        morphs in vec(morph(), 0..4),
    ) -> Document {
        Document { vertices, faces, materials, bones, ik, morphs, ..Document::default() }
    }
}

prop_compose! {
    fn document()(
        surface in surface(),
        version in prop_oneof![Just(1.0), any::<f32>().prop_filter("NaN is not equal to itself", |v| !v.is_nan())],
        model in name(),
        panel_morphs in vec(0..6u16, 0..4),
        bone_frames in vec(name(), 0..3),
        framed_bones in vec((index(), 0..4u8).prop_map(|(bone, frame)| FramedBone { bone, frame }), 0..4),
        flag in 0..3u8,
        toon in name(),
        bodies in vec(rigid_body(), 0..3),
        joints in vec(joint(), 0..3),
        trailing in vec(any::<u8>(), 0..4),
        parts in 0..5u8,
    ) -> Document {
        let names = |count| vec![Name::EMPTY; count];
        let english = match flag {
            0 => English::default(),
            flag => English {
                flag,
                bones: names(surface.bones.len()),
                morphs: names(surface.morphs.len().saturating_sub(1)),
                bone_frames: vec![Name::EMPTY; bone_frames.len()],
                ..English::default()
            },
        };
        Document {
            version,
            name: model,
            panel_morphs,
            bone_frames,
            framed_bones,
            english: (parts > 0).then_some(english),
            toons: (parts > 1).then_some([toon; 10]),
            rigid_bodies: (parts > 2).then_some(bodies),
            joints: (parts > 3).then_some(joints),
            trailing: if parts > 3 { trailing } else { Vec::new() },
            ..surface
        }
    }
}

proptest! {
    #[test]
    fn a_document_survives_its_bytes(document in document()) {
        let bytes = Pmd::write(&document, &WriteOptions::default()).unwrap().main;
        prop_assert_eq!(dopesheet_testkit::read::<Pmd>(&bytes), document);
    }

    #[test]
    fn checking_and_converting_never_panic(document in document()) {
        let mut report = Report::default();
        Pmd::check(&document, &mut report);
        for finding in &report.findings {
            let is = |c: &Check| c.code == finding.fault.code && c.severity == finding.severity;
            prop_assert!(Pmd::INFO.checks.iter().any(is));
        }
        let _ = Pmd::to_scene(&document, &ToScene::default(), &mut report);
    }

    #[test]
    fn a_bone_is_never_lifted_before_its_parent(document in document()) {
        let lifted = document.lift(&mut Report::default());
        for bone in &lifted.bones {
            let parent = bone.parent.get().and_then(|parent| lifted.bones.get(parent));
            let circles = |start: &dopesheet_mmd::pmx::Bone| {
                let up = |bone: &&dopesheet_mmd::pmx::Bone| lifted.bones.get(bone.parent.get()?);
                std::iter::successors(Some(start), up).take(lifted.bones.len() + 1).count() > lifted.bones.len()
            };
            if let Some(parent) = parent.filter(|_| !circles(bone)) {
                prop_assert!(bone.level >= parent.level);
            }
        }
    }
}
