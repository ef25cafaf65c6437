//! Bones and inverse kinematics.

use super::fields::{ENCODING, english, index, text, text_at};
use crate::pmd::document::{Bone, BoneType, Document, Ik, Index};
use crate::pmx::{self, BoneFlags};

/// IK is solved after the bones moved by keys only.
const IK_LEVEL: i32 = 1;
/// Bones of type 5 follow the result of IK at their source, as in Blender's MMD tools.
const FOLLOW_LEVEL: i32 = 2;
/// Legs bend at bones with this word in their names. saba and DxLib look for the word anywhere in the name,
/// Blender's MMD tools at the end; nanoem and babylon-mmd know only 左ひざ and 右ひざ.
const KNEE: &str = "ひざ";
/// The weight of an IK chain is a quarter of its step: models that exist in both formats show 0.03, 0.5 and 1 beside
/// 0.12, 2 and 4 rad.
const STEP_PER_WEIGHT: f32 = 4.0;

/// The angles of a knee, taken from models existing in both formats: the knee bends backwards only, and never
/// quite straightens.
fn knee() -> pmx::IkLimit {
    let radians = |degrees: f32| degrees.to_radians();
    pmx::IkLimit { min_rad: [radians(-180.0), 0.0, 0.0], max_rad: [radians(-0.5), 0.0, 0.0] }
}

/// The bones of the PMX model.
pub(in crate::pmd) fn bones(document: &Document) -> Vec<pmx::Bone> {
    let english = english(document).map(|english| english.bones.as_slice());
    let bones = document.bones.iter().enumerate();
    let mut lifted: Vec<_> = bones
        .map(|(position, bone)| pmx::Bone {
            english_name: text_at(english, position),
            ..lift(document, bone)
        })
        .collect();
    add_ik(document, &mut lifted);
    raise_children(&mut lifted);
    lifted
}

fn lift(document: &Document, bone: &Bone) -> pmx::Bone {
    let kind = BoneType::of(bone.kind);
    pmx::Bone {
        name: text(&bone.name),
        head: bone.head,
        parent: index(bone.parent),
        level: match kind {
            BoneType::Ik => IK_LEVEL,
            BoneType::Follow => FOLLOW_LEVEL,
            _ => 0,
        },
        flags: flags(kind),
        tail: tail(kind, bone.tail),
        append: append(kind, bone),
        fixed_axis: if kind == BoneType::Twist { bone.axis(document) } else { None },
        ..pmx::Bone::default()
    }
}

/// Visibility and selection of bones, as in Blender's MMD tools.
const fn flags(kind: BoneType) -> BoneFlags {
    const SEEN: u16 = BoneFlags::ROTATABLE | BoneFlags::VISIBLE | BoneFlags::OPERABLE;
    BoneFlags(match kind {
        BoneType::RotateMove | BoneType::Ik => SEEN | BoneFlags::MOVABLE,
        BoneType::Rotate | BoneType::Unknown | BoneType::IkLink | BoneType::Follow | BoneType::Twist => SEEN,
        BoneType::IkTarget | BoneType::FollowPart => BoneFlags::ROTATABLE | BoneFlags::OPERABLE,
        BoneType::Hidden => BoneFlags::ROTATABLE,
    })
}

/// The first bone is never a tail: 0 means none. Bones of type 9 have another bone in the field, and bones of
/// type 8 end with their axis.
fn tail(kind: BoneType, tail: Index) -> pmx::Tail {
    match (kind, tail) {
        (BoneType::Twist | BoneType::FollowPart, _) | (_, Index(0) | Index::NONE) => pmx::Tail::default(),
        (_, tail) => pmx::Tail::Bone(index(tail)),
    }
}

/// Type 5 follows the bone in the IK field whole; type 9 follows the bone in the tail field by the hundredths in the IK
/// field (Blender's MMD tools; babylon-mmd takes both for type 9).
fn append(kind: BoneType, bone: &Bone) -> Option<pmx::Append> {
    let parts = pmx::AppendParts::Rotation;
    match kind {
        BoneType::Follow => Some(pmx::Append { source: index(Index(bone.source)), ratio: 1.0, parts }),
        BoneType::FollowPart => {
            Some(pmx::Append { source: index(bone.tail), ratio: f32::from(bone.source) / 100.0, parts })
        }
        _ => None,
    }
}

impl Bone {
    /// The direction from the bone's head to the head of its tail, of length 1; `None` if there is no such
    /// direction.
    pub(in crate::pmd) fn axis(&self, document: &Document) -> Option<[f32; 3]> {
        let tail = document.bones.get(self.tail.get()?)?;
        let [a, b] = [self.head, tail.head].map(|head| head.map(f64::from));
        let offset = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let length = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        (length.is_finite() && length > 0.0).then(|| offset.map(|x| (x / length) as f32))
    }
}

/// A bone is not solved before its parent. So eyes, which follow, end up behind IK together with their
/// children.
fn raise_children(bones: &mut [pmx::Bone]) {
    let mut is_done = vec![false; bones.len()];
    for start in 0..bones.len() {
        let mut path = Vec::new();
        let mut at = Some(start);
        // Upwards until there is no parent or it has been seen; in a circle that is where this walk began.
        while let Some(bone) = at.filter(|at| is_done.get(*at) == Some(&false)) {
            is_done[bone] = true;
            path.push(bone);
            at = bones[bone].parent.get();
        }
        let mut level = at.and_then(|above| bones.get(above)).map_or(i32::MIN, |above| above.level);
        for bone in path.into_iter().rev() {
            level = level.max(bones[bone].level);
            bones[bone].level = level;
        }
    }
}

/// Puts each chain on its bone. A bone has one chain; for further chains the bone gets children at its head,
/// with a plus behind its name as in babylon-mmd and Blender's MMD tools.
fn add_ik(document: &Document, bones: &mut Vec<pmx::Bone>) {
    for chain in &document.ik {
        let Some(position) = chain.bone.get().filter(|position| *position < document.bones.len()) else {
            continue;
        };
        let ik = Some(lift_ik(document, chain));
        match bones.get_mut(position) {
            Some(bone) if bone.ik.is_none() => {
                bone.ik = ik;
                bone.level = bone.level.max(IK_LEVEL);
            }
            Some(bone) => {
                let copy = pmx::Bone {
                    name: pmx::Text::new(&format!("{}+", bone.name.decode(ENCODING).0), ENCODING),
                    parent: pmx::Index::of(position),
                    flags: BoneFlags(bone.flags.0 & !BoneFlags::VISIBLE),
                    tail: pmx::Tail::default(),
                    append: None,
                    fixed_axis: None,
                    ik,
                    ..bone.clone()
                };
                bones.push(copy);
            }
            None => {}
        }
    }
}

fn lift_ik(document: &Document, chain: &Ik) -> pmx::Ik {
    let is_knee = |link: Index| {
        let bone = link.get().and_then(|link| document.bones.get(link));
        bone.is_some_and(|bone| bone.name.text().contains(KNEE))
    };
    let links =
        chain.links.iter().map(|link| pmx::IkLink { bone: index(*link), limit: is_knee(*link).then(knee) });
    pmx::Ik {
        target: index(chain.target),
        iterations: i32::from(chain.iterations),
        step_rad: STEP_PER_WEIGHT * chain.weight,
        links: links.collect(),
    }
}
