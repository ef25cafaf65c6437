//! Compilation of a clip for the player.

use super::clip::{CompiledClip, PlayedLaw};
use super::curve::{HeldCurve, Interpolation, PlayedCurve};
use super::exact::ExactChannel;
use super::key_times::KeyTimes;
use super::outputs::{Output, PlayedChannels, Slot};
use super::own::OwnCurves;
use super::pose::{Layout, ROTATION, SCALE};
use super::shared::{Rest, SharedRows};
use crate::sample::angles::joined_angles;
use dopesheet_core::model::{
    Channel, Clip, Composition, JumpSide, Property, Scene, Timing, Transform, ValueKind,
};
use dopesheet_core::order::by_key;
use dopesheet_core::units::FrameRate;
use fearless_simd::Level;
use glam::DVec4;
use std::collections::HashMap;
use std::sync::Arc;

/// Largest distance of a quaternion's Bézier points from the unit quaternion in their middle: an angle of
/// nearly 60° between keys, whose middle is long enough to determine its direction.
const NEAR_UNIT: f64 = 0.25;

/// Fewest curves of one interpolation with the same key times that share rows.
const FEWEST_SHARED: usize = 4;

impl CompiledClip {
    /// Compiles one of a scene's clips.
    ///
    /// Of several channels that move the same part of a joint the last counts. Channels without keys leave
    /// the joint at rest.
    #[must_use]
    pub fn new(scene: &Scene, clip: &Clip) -> Self {
        let PlayedChannels { channels, slots, layout } = PlayedChannels::new(scene, clip);
        let mut compiler = Compiler { layout, rest: rest(scene, layout), ..Compiler::default() };
        for (channel, output) in channels {
            compiler.add(channel, output);
        }
        compiler.finish(clip, slots)
    }
}

/// Numbers of a pose at rest.
fn rest(scene: &Scene, layout: Layout) -> Vec<f32> {
    let mut rest = vec![0.0; layout.len()];
    let transforms = scene.nodes.iter().map(|node| node.rest).chain(std::iter::repeat(Transform::IDENTITY));
    for (joint, Transform { translation, rotation, scale }) in transforms.take(layout.stride()).enumerate() {
        let columns = translation.iter().chain(&rotation).chain(&scale);
        for (number, value) in rest.iter_mut().skip(joint).step_by(layout.stride()).zip(columns) {
            *number = *value as f32;
        }
    }
    rest
}

/// A curve without an index of key times yet, and the source of those times; `None` where nothing moves.
type Played<'a> = (PlayedCurve, Option<HeldCurve<'a>>);

#[derive(Default)]
struct Compiler {
    layout: Layout,
    rest: Vec<f32>,
    grids: Vec<Option<FrameRate>>,
    key_times: Vec<KeyTimes>,
    /// Index of key times by grid, jump side and the bits of the times.
    list_indices: HashMap<(Option<FrameRate>, bool, Vec<u64>), usize>,
    curves: Vec<PlayedCurve>,
    /// Timings without a shorter code.
    listed: Vec<Timing>,
    /// Joints whose rotations are made unit quaternions when their numbers are known.
    of_quaternions: Vec<u32>,
    exact: Vec<ExactChannel>,
    laws: Vec<PlayedLaw>,
}

impl Compiler {
    fn add(&mut self, channel: &Channel, output: Output) {
        for law in channel.composition.curves().flat_map(|curve| curve.laws.runs()) {
            let played = PlayedLaw { blend: law.blend, is_eased: !law.timing.is_linear() };
            if !self.laws.contains(&played) {
                self.laws.push(played);
            }
        }
        let joined = joined_angles(channel);
        let channel = joined.as_ref().unwrap_or(channel);
        let curves = match channel.property.kind() {
            ValueKind::Rotation => {
                self.rotation(channel, &output).or_else(|| self.quaternion_numbers(channel, &output))
            }
            _ => self.numbers(channel, &output),
        };
        let Some(curves) = curves else {
            let first_cursor = self.exact.last().map_or(0, ExactChannel::next_cursor);
            self.exact.push(ExactChannel { channel: channel.clone(), output, first_cursor });
            return;
        };
        for (mut curve, held) in curves {
            match (curve.constant(), held) {
                (None, Some(held)) => {
                    curve.list = self.list(&held);
                    self.curves.push(curve);
                }
                (values, _) => {
                    let numbers = self.rest.iter_mut().skip(curve.output as usize);
                    let numbers = numbers.step_by(self.layout.stride().max(1));
                    numbers.zip(values.unwrap_or_default()).for_each(|(number, value)| *number = *value);
                }
            }
        }
    }

    /// A joint's rotation by slerp or nlerp; `None` for other outputs and compositions.
    fn rotation<'a>(&mut self, channel: &'a Channel, output: &Output) -> Option<Vec<Played<'a>>> {
        let (Composition::Whole(curve), Output::Joint { joint, base, .. }) = (&channel.composition, output)
        else {
            return None;
        };
        let is_plain = curve.width == 4 && channel.native.as_ref().is_none_or(|native| native.scale == 1.0);
        let held = HeldCurve::new(curve).filter(|_| is_plain)?;
        let played = PlayedCurve {
            interpolation: held.interpolation(true)?,
            list: 0,
            output: self.layout.index(ROTATION, *joint) as u32,
            keys: held.rotations(base.rotation),
            timings: held.timings(&mut self.listed),
        };
        Some(vec![(played, Some(held))])
    }

    /// The numbers of a channel by lerp or as cubics; `None` if they are not.
    fn numbers<'a>(&mut self, channel: &'a Channel, output: &Output) -> Option<Vec<Played<'a>>> {
        let curves = match &channel.composition {
            Composition::Whole(curve) => std::slice::from_ref(curve),
            Composition::Components(curves) => curves,
            Composition::ComponentsNormalised(curves) if channel.property == Property::Rotation => curves,
            _ => return None,
        };
        let native = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let layout = self.layout;
        let all = curves.iter().flat_map(|curve| (0..curve.width).map(move |component| (curve, component)));
        let played = all.enumerate().map(|(n, (curve, component))| {
            let (index, affine) = match output {
                Output::Numbers { start, .. } => (start.saturating_add(n), [native, 0.0]),
                Output::Joint { joint, base, .. } if channel.property == Property::Scale => {
                    (layout.index(SCALE.saturating_add(n), *joint), [native * base.scale.get(n)?, 0.0])
                }
                Output::Joint { joint, .. } if channel.property == Property::Rotation => {
                    (layout.index(ROTATION.saturating_add(n), *joint), [native, 0.0])
                }
                Output::Joint { joint, base, .. } => {
                    (layout.index(n, *joint), [native, *base.translation.get(n)?])
                }
            };
            let mut played = PlayedCurve {
                interpolation: Interpolation::Lerp,
                list: 0,
                output: index as u32,
                keys: vec![affine[1] as f32],
                timings: None,
            };
            // A component without keys counts as 0.
            if curve.is_empty() {
                return Some((played, None));
            }
            let held = HeldCurve::new(curve)?;
            played.interpolation = held.interpolation(false)?;
            played.timings = held.timings(&mut self.listed);
            played.keys = match played.interpolation {
                Interpolation::Cubic => held.cubics(component, affine, &mut played.timings)?,
                _ => held.lines(component, affine)?,
            };
            Some((played, Some(held)))
        });
        played.collect()
    }

    /// The four numbers of a joint's rotation if each moves by itself and the player normalises them; `None`
    /// for other channels, and for numbers so far from unit length that single precision would make the angle
    /// less exact.
    fn quaternion_numbers<'a>(&mut self, channel: &'a Channel, output: &Output) -> Option<Vec<Played<'a>>> {
        let Output::Joint { joint, base, .. } = output else { return None };
        let is_alone = base.rotation == Transform::IDENTITY.rotation;
        let played = self.numbers(channel, output).filter(|all| is_alone && all.len() == 4)?;
        let [first, others @ ..] = &played[..] else { return None };
        let (_, Some(held)) = first else { return None };
        let shares_times = |(curve, other): &Played<'_>| {
            let times = other.as_ref().map(|own| (own.grid, own.jump, &own.times));
            curve.timings.is_none() && times == Some((held.grid, held.jump, &held.times))
        };
        let is_even = first.0.timings.is_none() && others.iter().all(shares_times);
        let curves = || played.iter().map(|(curve, _)| curve);
        let is_near = (1..held.times.len()).all(|next| {
            is_near_unit(std::array::from_fn(|point| {
                let mut numbers =
                    curves().map(|curve| curve.controls(next.saturating_sub(1)).get(point).copied());
                std::array::from_fn(|_| numbers.next().flatten().unwrap_or_default())
            }))
        });
        (is_even && is_near).then(|| self.of_quaternions.push(*joint as u32))?;
        Some(played)
    }

    /// Index of the key times of a curve.
    fn list(&mut self, held: &HeldCurve<'_>) -> usize {
        let bits = held.times.iter().map(|time| time.to_bits()).collect();
        let next = self.key_times.len();
        let index = *self.list_indices.entry((held.grid, held.jump == JumpSide::After, bits)).or_insert(next);
        if index == next {
            let grid = self.grids.iter().position(|grid| *grid == held.grid).unwrap_or(self.grids.len());
            if grid == self.grids.len() {
                self.grids.push(held.grid);
            }
            self.key_times.push(KeyTimes::new(&held.times, grid, held.jump));
        }
        index
    }

    fn finish(mut self, clip: &Clip, slots: Vec<Slot>) -> CompiledClip {
        self.list_indices = HashMap::new();
        let (shared, own) = self.split();
        let own = OwnCurves::new(own, self.listed, self.layout);
        CompiledClip {
            identity: Arc::new(()),
            level: Level::new(),
            duration: clip.duration,
            layout: self.layout,
            rest: self.rest.into(),
            grids: self.grids.into(),
            key_times: self.key_times.into(),
            shared: shared.into(),
            separate: own,
            of_quaternions: self.of_quaternions.into(),
            exact: self.exact.into(),
            slots: slots.into(),
            laws: self.laws.into(),
        }
    }

    /// Linear curves with common key times in rows, and all others.
    fn split(&mut self) -> (Vec<SharedRows>, Vec<PlayedCurve>) {
        let mut curves = std::mem::take(&mut self.curves);
        by_key(&mut curves, |c| (c.timings.is_some(), c.list, c.interpolation, c.output));
        let mut is_written = vec![false; self.rest.len()];
        let written = |curve: &PlayedCurve| {
            let columns = (curve.output..).step_by(self.layout.stride().max(1));
            columns.take(curve.interpolation.components())
        };
        let indices = curves.iter().flat_map(written);
        for index in indices.chain(self.exact.iter().flat_map(|exact| exact.output.indices(self.layout))) {
            is_written.iter_mut().skip(index as usize).take(1).for_each(|written| *written = true);
        }
        let rest = Rest { layout: self.layout, numbers: &self.rest, is_written };
        let (mut shared, mut own) = (Vec::new(), Vec::new());
        let is_of_list =
            |a: &PlayedCurve, b: &PlayedCurve| a.list == b.list && a.timings.is_none() == b.timings.is_none();
        for of_list in curves.chunk_by_mut(is_of_list) {
            let mut rows = Vec::new();
            for alike in of_list.chunk_by_mut(|a, b| a.interpolation == b.interpolation) {
                let shares = alike.len() >= FEWEST_SHARED && alike.iter().all(|c| c.timings.is_none());
                let all = if shares { &mut rows } else { &mut own };
                all.extend(alike.iter_mut().map(PlayedCurve::taken));
            }
            if let Some(list) = rows.first().map(|curve| curve.list) {
                shared.push(SharedRows::new(list, &rows, &rest));
            }
        }
        (shared, own)
    }
}

/// True if the Bézier points of a segment are all near the unit quaternion between its ends.
fn is_near_unit(points: [[f64; 4]; 4]) -> bool {
    let [from, .., to] = points.map(DVec4::from_array);
    let middle = (from + to).normalize_or_zero();
    points.into_iter().all(|point| DVec4::from_array(point).distance(middle) <= NEAR_UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::player::Policies;
    use crate::sample::pose::local_pose;
    use dopesheet_core::model::{Basis, Curve, Handles, Law, Laws, Node, Target, TargetKind, Times, Track};
    use dopesheet_core::units::Seconds;

    /// A joint whose quaternion's numbers are cubics that turn it about z by up to an angle, to and fro.
    fn turning(angle_rad: f32) -> (Scene, Clip) {
        let mut scene = Scene::new(Basis::GLTF);
        let node = Some(scene.push_node(Node::new("hand", None, Transform::IDENTITY)));
        let angles = [0.0, 0.5, -0.4, 0.7].map(|part: f32| 0.5 * angle_rad * part);
        let slopes = [0.1, -0.3, 0.2, 0.0];
        let columns = [[0.0; 4], [0.0; 4], angles.map(f32::sin), angles.map(f32::cos)];
        let curves = columns.into_iter().enumerate().map(|(n, values)| {
            let times = Times::Seconds([0.0, 0.1, 0.3, 0.4].into());
            let slopes = if n < 2 { vec![0.0; 4] } else { slopes.to_vec() };
            let curve = Curve::new(times, 1, values.to_vec(), Laws::uniform(Law::HERMITE));
            Curve { handles: Some(Box::new(Handles { arriving: slopes.clone(), leaving: slopes })), ..curve }
        });
        let composition = Composition::ComponentsNormalised(curves.collect());
        let channel = Channel { property: Property::Rotation, composition, native: None };
        let target = Target::new(TargetKind::Joint, "hand", 0, node);
        let tracks = vec![Track { target, channels: vec![channel] }];
        (scene, Clip { tracks, duration: Seconds(0.4), ..Clip::default() })
    }

    #[test]
    fn cubic_numbers_of_a_quaternion_are_played_as_curves_where_keys_are_near() {
        for (angle_rad, is_near) in [(0.5, true), (3.0, false)] {
            let (scene, clip) = turning(angle_rad);
            let compiled = CompiledClip::new(&scene, &clip);
            assert_eq!(
                (compiled.exact.is_empty(), compiled.of_quaternions.len()),
                (is_near, usize::from(is_near))
            );
            let (mut cursor, mut pose) = (compiled.cursor(), compiled.pose());
            for time in (0..=100).map(|n| Seconds(f64::from(n) * 4e-3)) {
                compiled.sample(time, Policies::default(), &mut cursor, &mut pose);
                let played = pose.joint(0).map(|joint| joint.rotation.map(f64::from)).unwrap_or_default();
                let off = dopesheet_curve::quat_angle(played, local_pose(&scene, &clip, time).0[0].rotation);
                assert!(off <= 1e-6, "{angle_rad} at {time:?}: {off}");
            }
        }
    }
}
