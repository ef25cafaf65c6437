//! The skeleton: every standard and semi-standard bone of MikuMikuDance's models.

mod frames;
mod table;

pub(super) use frames::frames;
pub(super) use table::{ARM, ELBOW, KNUCKLES, PARTS, WRIST};

use super::surface::other_side;
use dopesheet_mmd::pmx::{
    Append, AppendParts, Bone, BoneFlags, Encoding, Ik, IkLimit, IkLink, Index, Tail, Text,
};
use glam::DVec3;
use std::collections::BTreeMap;
use table::{End, ROWS, Row, SIDE_ROWS};

/// The bones in the order of the file.
pub(super) struct Skeleton {
    pub(super) bones: Vec<Bone>,
    numbers: BTreeMap<String, usize>,
}

impl Skeleton {
    /// All of them: the middle, the left side, the right side.
    pub(super) fn new() -> Self {
        let side = |mirrored| SIDE_ROWS.iter().map(move |row| (row, mirrored));
        let rows: Vec<(&Row, bool)> =
            ROWS.iter().map(|row| (row, false)).chain(side(false)).chain(side(true)).collect();
        let numbers =
            rows.iter().enumerate().map(|(n, (row, mirrored))| (name(row.name, *mirrored), n)).collect();
        let mut skeleton = Self { bones: Vec::new(), numbers };
        skeleton.bones = rows.into_iter().map(|(row, mirrored)| skeleton.bone(row, mirrored)).collect();
        skeleton
    }

    /// The number of a bone; none for a name that no bone has.
    pub(super) fn index(&self, name: &str) -> Index {
        self.numbers.get(name).map_or(Index::NONE, |number| Index::of(*number))
    }

    fn bone(&self, row: &Row, mirrored: bool) -> Bone {
        let index = |bone: &str| self.index(&name(bone, mirrored));
        let vector = |v: [f64; 3]| if mirrored { [-v[0], v[1], v[2]] } else { v }.map(|x| x as f32);
        let english = if mirrored { row.english.replace("_L", "_R") } else { row.english.to_owned() };
        Bone {
            name: Text::new(&name(row.name, mirrored), Encoding::Utf16),
            english_name: Text::new(&english, Encoding::Utf16),
            head: vector(row.head),
            parent: index(row.parent),
            level: row.level,
            flags: BoneFlags(row.flags),
            tail: match row.end {
                End::Bone(bone) => Tail::Bone(index(bone)),
                End::Offset(offset) => Tail::Offset(vector(offset)),
            },
            append: row.append.map(|(source, ratio)| Append {
                source: index(source),
                ratio,
                parts: AppendParts::Rotation,
            }),
            fixed_axis: row.axis.map(vector),
            ik: row.ik.as_ref().map(|ik| Ik {
                target: index(ik.target),
                iterations: ik.rounds,
                step_rad: ik.step_rad,
                links: ik.links.iter().map(|(bone, bends)| link(index(bone), *bends)).collect(),
            }),
            ..Bone::default()
        }
    }
}

fn name(bone: &str, mirrored: bool) -> String {
    if mirrored { other_side(bone) } else { bone.to_owned() }
}

/// A link of a chain; one that only bends does so to the back, by half a degree at least.
fn link(bone: Index, only_bends: bool) -> IkLink {
    const LEAST: f32 = -std::f32::consts::PI / 360.0;
    const MOST: f32 = -std::f32::consts::PI;
    let knee = IkLimit { min_rad: [MOST, 0.0, 0.0], max_rad: [LEAST, 0.0, 0.0] };
    IkLink { bone, limit: only_bends.then_some(knee) }
}

/// Where a bone of the left side or of the middle starts.
pub(super) fn head(bone: &str) -> DVec3 {
    let row = ROWS.iter().chain(&SIDE_ROWS).find(|row| row.name == bone);
    row.map_or(DVec3::ZERO, |row| row.head.into())
}
