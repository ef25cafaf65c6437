//! Clip → what is played.

use super::clip::{CompiledClip, PlayedLaw};
use super::exact::{ExactChannel, Goal};
use super::gathered::Gathered;
use super::keyed::{Keyed, LARGEST, Shape};
use super::output::{Layout, ROTATION, SCALE};
use super::wanted::Wanted;
use crate::sample::angles::joined_angles;
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Property, Scene, Transform, ValueKind};
use fearless_simd::Level;
use std::sync::Arc;

impl CompiledClip {
    /// Compiles one of a scene's clips.
    ///
    /// Of several channels that move the same part of a joint the last counts. What has no keys stays at rest.
    #[must_use]
    pub fn new(scene: &Scene, clip: &Clip) -> Self {
        let wanted = Wanted::new(scene, clip);
        let mut compiler = Compiler {
            layout: wanted.layout,
            base: rest(scene, wanted.layout),
            gathered: Gathered::default(),
            exact: Vec::new(),
            cursors: 0,
            laws: Vec::new(),
        };
        for (channel, goal) in wanted.channels {
            compiler.add(channel, goal);
        }
        let Compiler { layout, base, gathered, exact, laws, .. } = compiler;
        let laid_out = gathered.lay_out(layout, &base, &exact);
        let pieces = laid_out.pieces(layout, &wanted.slots, &exact);
        Self {
            identity: Arc::new(()),
            level: Level::new(),
            duration: clip.duration,
            layout,
            base: base.into(),
            axes: laid_out.axes,
            knots: laid_out.knots,
            rows: laid_out.rows,
            lanes: laid_out.lanes,
            exact: exact.into(),
            slots: wanted.slots.into(),
            laws: laws.into(),
            pieces,
        }
    }
}

/// The output of a clip that moves nothing.
fn rest(scene: &Scene, layout: Layout) -> Vec<f32> {
    let mut base = vec![0.0; layout.len()];
    for (joint, node) in scene.nodes.iter().enumerate() {
        let Transform { translation, rotation, scale } = &node.rest;
        let columns = translation.iter().chain(rotation).chain(scale);
        for (place, value) in base.iter_mut().skip(joint).step_by(layout.stride().max(1)).zip(columns) {
            *place = *value as f32;
        }
    }
    base
}

struct Compiler {
    layout: Layout,
    base: Vec<f32>,
    gathered: Gathered,
    exact: Vec<ExactChannel>,
    /// Curves of all exact channels.
    cursors: usize,
    laws: Vec<PlayedLaw>,
}

/// One number of a channel: which component of which curve, where it goes, and what is done to its keys first.
struct Component<'a> {
    curve: &'a Curve,
    component: usize,
    target: usize,
    scale: f64,
    offset: f64,
}

/// How a number moves.
enum Moves<'a> {
    Not(f32),
    Straight(Keyed<'a>, Vec<[f32; 1]>),
    Cubic(Keyed<'a>, Vec<[f32; 4]>, Vec<bool>),
}

impl Compiler {
    fn add(&mut self, channel: &Channel, goal: Goal) {
        self.note_laws(channel);
        let joined = joined_angles(channel);
        let channel = joined.as_ref().unwrap_or(channel);
        if self.add_rotation(channel, &goal).or_else(|| self.add_numbers(channel, &goal)).is_none() {
            let exact = ExactChannel { channel: channel.clone(), goal, first_cursor: self.cursors };
            self.cursors += exact.curves();
            self.exact.push(exact);
        }
    }

    fn note_laws(&mut self, channel: &Channel) {
        for law in channel.composition.curves().flat_map(|curve| curve.laws.runs()) {
            let played = PlayedLaw { blend: law.blend, is_eased: !law.timing.is_linear() };
            if !self.laws.contains(&played) {
                self.laws.push(played);
            }
        }
    }

    /// A joint's rotation on the great circle or its chord; `None` if it is not one.
    fn add_rotation(&mut self, channel: &Channel, goal: &Goal) -> Option<()> {
        let (Property::Rotation, Composition::Whole(curve), Goal::Joint { joint, base, .. }) =
            (&channel.property, &channel.composition, goal)
        else {
            return None;
        };
        let is_plain = curve.width == 4 && channel.native.as_ref().is_none_or(|native| native.scale == 1.0);
        let keyed = Keyed::new(curve).filter(|_| is_plain)?;
        let shape = keyed.shape(true)?;
        let keys = keyed.rotations(base.rotation);
        let target = ROTATION * self.layout.stride() + joint;
        match constant(&keys) {
            Some(key) => self.fix(&key, target),
            None => self.gathered.rotation(&keyed, shape, target as u32, keys),
        }
        Some(())
    }

    /// Numbers of joints or others on straight lines or cubics; `None` if they are not.
    fn add_numbers(&mut self, channel: &Channel, goal: &Goal) -> Option<()> {
        if channel.property.kind() == ValueKind::Rotation {
            return None;
        }
        let components = self.components(channel, goal)?;
        let moves: Option<Vec<Moves<'_>>> = components.iter().map(Component::moves).collect();
        for (Component { target, .. }, moves) in components.iter().zip(moves?) {
            match moves {
                Moves::Not(value) => self.fix(&[value], *target),
                Moves::Straight(keyed, keys) => self.gathered.number(&keyed, *target as u32, keys),
                Moves::Cubic(keyed, cubics, holds) => {
                    self.gathered.cubic(&keyed, *target as u32, cubics, &holds);
                }
            }
        }
        Some(())
    }

    /// Writes what never changes.
    fn fix(&mut self, values: &[f32], target: usize) {
        let places = self.base.iter_mut().skip(target).step_by(self.layout.stride().max(1));
        for (place, value) in places.zip(values) {
            *place = *value;
        }
    }

    fn components<'a>(&self, channel: &'a Channel, goal: &Goal) -> Option<Vec<Component<'a>>> {
        let curves = match &channel.composition {
            Composition::Whole(curve) => std::slice::from_ref(curve),
            Composition::Components(curves) => curves,
            _ => return None,
        };
        let native = channel.native.as_ref().map_or(1.0, |native| native.scale);
        let (start, stride, base): (_, _, Option<&Transform>) = match goal {
            Goal::Numbers { start, .. } => (*start, 1, None),
            Goal::Joint { joint, base, .. } => {
                let column = if channel.property == Property::Scale { SCALE } else { 0 };
                (column * self.layout.stride() + joint, self.layout.stride(), Some(base))
            }
        };
        let places =
            curves.iter().flat_map(|curve| (0..curve.width).map(move |component| (curve, component)));
        let component = |(n, (curve, component)): (usize, (&'a Curve, usize))| {
            let (scale, offset) = match base {
                Some(base) if channel.property == Property::Scale => (native * base.scale.get(n)?, 0.0),
                Some(base) => (native, *base.translation.get(n)?),
                None => (native, 0.0),
            };
            Some(Component { curve, component, target: start + n * stride, scale, offset })
        };
        places.enumerate().map(component).collect()
    }
}

impl<'a> Component<'a> {
    fn moves(&self) -> Option<Moves<'a>> {
        if self.curve.is_empty() {
            return Some(Moves::Not(self.offset as f32));
        }
        let keyed = Keyed::new(self.curve)?;
        match keyed.shape(false)? {
            Shape::Cubic => {
                let (cubics, holds) = keyed.cubics(self.component, self.scale, self.offset)?;
                Some(Moves::Cubic(keyed, cubics, holds))
            }
            _ => {
                let keys = keyed.numbers(self.component).map(|v| [(v * self.scale + self.offset) as f32]);
                let keys: Vec<[f32; 1]> = keys.collect();
                if !keys.iter().all(|[v]| v.abs() <= LARGEST) {
                    return None;
                }
                Some(match constant(&keys) {
                    Some([value]) => Moves::Not(value),
                    None => Moves::Straight(keyed, keys),
                })
            }
        }
    }
}

/// The key that all are equal to.
fn constant<const N: usize>(keys: &[[f32; N]]) -> Option<[f32; N]> {
    let first = keys.first()?;
    keys.iter().all(|key| key == first).then_some(*first)
}
