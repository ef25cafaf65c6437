//! Bodies of the SMPL family, as AMASS has them, and the joints of HumanML3D.

use super::super::array::{Array, shown};
use super::super::{codes, rest, smpl};
use super::facts::{AXES, FPS, Z_UP};
use super::{ClipNumbers, Dial, Interpreter, Layout, Motion, POSES, Rotations, Take};
use dopesheet_core::model::{Basis, Transform};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use serde_json::{Map, Value, json};

/// Arrays that state the rate, in the spellings of AMASS's parts and of other files.
const RATES: [&str; 3] = ["mocap_framerate", "mocap_frame_rate", FPS];
/// Number of spellings used by AMASS only, whose world has Z up.
const OF_AMASS: usize = 2;
/// Arrays with the translation of the body.
const TRANSLATIONS: [&str; 2] = ["trans", "transl"];
/// Parts of a body of SMPL-X in the order of its joints, with the names of AMASS and the names of the package
/// `smplx`; the parts of SMPL-H lack jaw and eyes.
const PARTS: [&[(&str, &[usize])]; 2] = [
    &[
        ("root_orient", &[3]),
        ("pose_body", &[63]),
        ("pose_jaw", &[3]),
        ("pose_eye", &[6]),
        ("pose_hand", &[90]),
    ],
    &[
        ("global_orient", &[3]),
        // The body of SMPL has two joints more, for its hands.
        ("body_pose", &[63, 69]),
        ("jaw_pose", &[3]),
        ("leye_pose", &[3]),
        ("reye_pose", &[3]),
        ("left_hand_pose", &[45]),
        ("right_hand_pose", &[45]),
    ],
];
/// The root's rotation by itself, written by HY-Motion beside the rotations of all joints.
const HY_MOTION: &str = "Rh";
/// Poses per second of HumanML3D.
const HUMANML3D: Option<FrameRate> = FrameRate::new(20, 1);
/// Poses per second of AIST++.
const AIST: Option<FrameRate> = FrameRate::new(60, 1);
/// Poses per second of Motion-X.
const OF_MOTION_X: Option<FrameRate> = FrameRate::new(30, 1);
/// Numbers of a frame of Motion-X.
pub(in super::super) const MOTION_X: usize = 322;
/// The parts of a frame of Motion-X: the start of each, and its count of numbers.
pub(in super::super) mod motion_x {
    pub(in super::super::super) const BODY: (usize, usize) = (0, 66);
    pub(in super::super::super) const HANDS: (usize, usize) = (66, 90);
    pub(in super::super::super) const JAW: (usize, usize) = (156, 3);
    pub(in super::super::super) const EXPRESSION: (usize, usize) = (159, 50);
    pub(in super::super::super) const TRANS: (usize, usize) = (309, 3);
    pub(in super::super::super) const BETAS: (usize, usize) = (312, 10);
}
/// Numbers of the two eyes, missing in Motion-X.
const EYES: [f64; 6] = [0.0; 6];

/// Number of frames, and of the numbers of each: (F, N) or (F, N / 3, 3).
fn rows(array: &Array) -> (usize, Option<usize>) {
    match array.shape[..] {
        [frames, width] => (frames, Some(width)),
        [frames, joints, 3] => (frames, joints.checked_mul(3)),
        _ => (0, None),
    }
}

impl Interpreter<'_> {
    /// True if the rotations of a body stand in an array per part.
    pub(super) fn has_parts(&self) -> bool {
        self.named_parts().is_some()
    }

    /// The parts of a body, by their names in the file.
    fn named_parts(&self) -> Option<&'static [(&'static str, &'static [usize])]> {
        let has = |(name, _): &(&str, _)| self.document.array(name).is_some();
        PARTS.into_iter().find(|parts| parts.iter().take(2).all(has))
    }

    pub(super) fn smpl(&mut self, name: &str) -> Option<Motion> {
        let (vectors, frames) = match self.document.array(name) {
            None if self.has_parts() => self.parts()?,
            _ => self.poses(name)?,
        };
        let count = vectors.len().checked_div(3 * frames).unwrap_or(0);
        let joints = if frames == 0 { smpl::joints(smpl::BODY_JOINTS) } else { smpl::joints(count) };
        let joints = joints?;
        let gone = TRANSLATIONS.iter().find(|name| self.document.array(name).is_some());
        let roots = gone.and_then(|name| self.optional(name, &[3], Some(frames)));
        let is_amass = RATES.iter().take(OF_AMASS).any(|name| self.document.array(name).is_some());
        let stated = self.document.array(AXES).is_some();
        // HY-Motion spells the rate as AMASS does and has another up; only its files repeat the root's rotation.
        let is_hy_motion = is_amass && self.document.array(HY_MOTION).is_some();
        let basis = match is_amass && !stated {
            true if is_hy_motion => Some(Basis::GLTF),
            true => Some(Z_UP),
            false => self.axes(),
        };
        if basis.is_some_and(|basis| basis.is_left_handed()) {
            self.say(
                codes::AXES,
                AXES,
                "right-handed axes, as bodies of the SMPL family have",
                "left-handed axes",
            );
            return None;
        }
        let take = Take::new(frames, ClipNumbers::body(vectors, roots));
        let body = self.body(Layout::Smpl, joints, vec![take])?;
        Some(Motion { rate: self.rate(&RATES), basis, notes: self.body_notes(), ..body })
    }

    /// A body in a world with Y up, without a rate.
    pub(super) fn body(
        &mut self,
        layout: Layout,
        joints: Vec<smpl::SmplJoint>,
        takes: Vec<Take>,
    ) -> Option<Motion> {
        let (rest, is_rest_assumed) = self.body_rest(joints.len())?;
        let joints = joints.into_iter().map(|joint| (joint.name, joint.parent)).collect();
        Some(Motion { rest, is_rest_assumed, ..Motion::of(layout, joints, takes) })
    }

    /// The rotations of all joints and the number of frames.
    fn poses(&mut self, name: &str) -> Option<(Vec<f64>, usize)> {
        let array = self.array(name)?;
        let (frames, width) = rows(array);
        let body_joints = width.filter(|width| width % 3 == 0).and_then(|width| smpl::joints(width / 3));
        if body_joints.is_none() {
            let expected = "the shape (F, 66), (F, 72), (F, 156) or (F, 165): 22, 24, 52 or 55 joints";
            self.say(codes::SHAPE, name, expected, shown(&array.shape));
            return None;
        }
        Some((self.any_numbers(name, array)?, frames))
    }

    /// The numbers of a part, (F, N) or (F, N / 3, 3), with the numbers of frames and of a frame's numbers.
    fn part(&mut self, name: &str, widths: &[usize]) -> Option<(Vec<f64>, usize, usize)> {
        let array = self.array(name)?;
        let (frames, width) = rows(array);
        let Some(width) = width.filter(|width| widths.contains(width)) else {
            let shapes: Vec<String> = widths.iter().map(|width| format!("(F, {width})")).collect();
            self.say(codes::SHAPE, name, format!("the shape {}", shapes.join(" or ")), shown(&array.shape));
            return None;
        };
        Some((self.any_numbers(name, array)?, frames, width))
    }

    fn parts(&mut self) -> Option<(Vec<f64>, usize)> {
        let mut columns = Vec::new();
        for (name, widths) in self.named_parts()? {
            if self.document.array(name).is_none() {
                continue;
            }
            let (numbers, frames, width) = self.part(name, widths)?;
            columns.push((*name, numbers, width, frames));
        }
        let frames = columns.first()?.3;
        if let Some((name, _, _, other)) = columns.iter().find(|column| column.3 != frames) {
            self.say(codes::FRAME_COUNT, name, counted(frames, "frame"), other.to_string());
            return None;
        }
        let row = |frame: usize| {
            columns
                .iter()
                .flat_map(move |(_, numbers, width, _)| numbers.iter().skip(frame * width).take(*width))
        };
        let width: usize = columns.iter().map(|column| column.2).sum();
        if smpl::joints(width / 3).is_none() {
            let actual = format!(
                "{} in {}",
                counted(width, "number"),
                columns.iter().map(|c| c.0).collect::<Vec<_>>().join(", ")
            );
            self.say(
                codes::SHAPE,
                POSES,
                "66, 72, 156 or 165 numbers in a frame: 22, 24, 52 or 55 joints",
                actual,
            );
            return None;
        }
        Some(((0..frames).flat_map(row).copied().collect(), frames))
    }

    /// Rest pose: stated in the file, or else of an ordinary figure.
    pub(super) fn body_rest(&mut self, count: usize) -> Option<(Vec<Transform>, bool)> {
        let stated = self.optional("offsets", &[count, 3], None);
        let is_assumed = stated.is_none();
        let offsets = match stated {
            Some(numbers) => numbers.as_chunks::<3>().0.to_vec(),
            None => rest::offsets(count)?,
        };
        if is_assumed && self.document.array("offsets").is_none() {
            let actual = format!("none; that of a figure {:.2} m tall is used", rest::STATURE_M);
            self.say(codes::REST_ASSUMED, "", "an array offsets (the rest pose)", actual);
        }
        let still = |translation| Transform { translation, ..Transform::IDENTITY };
        Some((offsets.into_iter().map(still).collect(), is_assumed))
    }

    /// Shape and sex of the body, for which scenes have no word.
    fn body_notes(&mut self) -> Map<String, Value> {
        let mut notes = Map::new();
        let gender = self.document.array("gender").and_then(Array::strings);
        if let Some(gender) = gender.and_then(|words| words.into_iter().next()) {
            notes.insert("gender".into(), gender.into());
        }
        if let Some(betas) = self.take("betas").and_then(Array::numbers) {
            notes.insert("betas".into(), json!(betas));
        }
        notes
    }

    /// A body of SMPL-X in 322 numbers of a frame.
    pub(super) fn motion_x(&mut self, name: &str) -> Option<Motion> {
        let (numbers, _) = self.numbers(name, &[None, Some(MOTION_X)])?;
        let (rows, _) = numbers.as_chunks::<MOTION_X>();
        let part = |row: &[f64; MOTION_X], (start, count): (usize, usize)| {
            row.iter().skip(start).take(count).copied().collect::<Vec<f64>>()
        };
        let vectors = |row| {
            [part(row, motion_x::BODY), part(row, motion_x::JAW), EYES.to_vec(), part(row, motion_x::HANDS)]
        };
        let roots = rows.iter().flat_map(|row| part(row, motion_x::TRANS)).collect();
        let mut take = Take::new(
            rows.len(),
            ClipNumbers::body(rows.iter().flat_map(vectors).flatten().collect(), Some(roots)),
        );
        let (first, count) = motion_x::EXPRESSION;
        take.dials = (0..count)
            .map(|dial| Dial {
                name: format!("face_expr_{dial}"),
                array: "face_expr",
                values: rows.iter().filter_map(|row| row.get(first + dial).copied()).collect(),
            })
            // A face that is not there is all zeros.
            .filter(|dial| dial.values.iter().any(|number| *number != 0.0))
            .collect();
        let mut notes = Map::new();
        if let Some(row) = rows.first() {
            notes.insert("betas".into(), json!(part(row, motion_x::BETAS)));
        }
        self.upright_body(Layout::MotionX, OF_MOTION_X, take, notes)
    }

    /// A body of SMPL with the translations of a scaled figure.
    pub(super) fn aist(&mut self, name: &str) -> Option<Motion> {
        let (vectors, frames) = self.poses(name)?;
        let scale = self.optional("smpl_scaling", &[1], None).and_then(|numbers| numbers.first().copied());
        let scale = scale.filter(|scale| scale.is_finite() && *scale > 0.0).unwrap_or(1.0);
        let roots = self.optional("smpl_trans", &[3], Some(frames));
        let roots = roots.map(|roots| roots.into_iter().map(|number| number / scale).collect());
        let notes = self.body_notes();
        self.upright_body(Layout::Aist, AIST, Take::new(frames, ClipNumbers::body(vectors, roots)), notes)
    }

    /// A body in a world with Y up, at the usual rate of its data set.
    fn upright_body(
        &mut self,
        layout: Layout,
        usual: Option<FrameRate>,
        take: Take,
        notes: Map<String, Value>,
    ) -> Option<Motion> {
        let ClipNumbers::Transforms { rotations: Rotations::Vectors(vectors), .. } = &take.values else {
            return None;
        };
        let count = vectors.len().checked_div(3 * take.frames).filter(|count| *count > 0);
        let joints = smpl::joints(count.unwrap_or(smpl::BODY_JOINTS))?;
        let body = self.body(layout, joints, vec![take])?;
        Some(Motion { rate: self.rate_or(usual), notes, ..body })
    }

    pub(super) fn humanml3d(&mut self, name: &str) -> Option<Motion> {
        let (places, shape) = self.numbers(name, &[None, Some(smpl::BODY_JOINTS), Some(3)])?;
        self.points_of_humanml3d(places, shape.first().copied().unwrap_or(0), Layout::HumanMl3d)
    }

    /// Places of the 22 joints: in metres, with Y up, 20 of them in a second.
    pub(super) fn points_of_humanml3d(
        &mut self,
        places: Vec<f64>,
        frames: usize,
        layout: Layout,
    ) -> Option<Motion> {
        let joints = smpl::joints(smpl::BODY_JOINTS)?;
        let rate = self.rate_or(HUMANML3D);
        let take = Take::new(frames, ClipNumbers::Places(places));
        Some(Motion { rate, ..self.body(layout, joints, vec![take])? })
    }
}
