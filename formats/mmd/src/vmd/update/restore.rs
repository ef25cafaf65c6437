//! The original bytes of a key that came back from a scene, if the key has the same meaning as before.

use crate::rotation;
use crate::text::Name;
use crate::vmd::curves::{BoneChannel, CameraChannel, Physics};
use crate::vmd::defaults;
use crate::vmd::document::{
    BoneKeyframe, CameraKeyframe, IkSwitch, LightKeyframe, ModelKeyframe, MorphKeyframe, ShadowKeyframe,
};
use crate::vmd::to_scene::timing;

/// Keys that can take back the bytes of their source.
pub(super) trait Restore: Sized + Clone {
    /// This key, with the bytes of its source key for every field with the same meaning in both. `is_reached`
    /// is false if nothing moves on the way to the key, so that its curves have no meaning. `names` belong to
    /// the key before.
    fn restored(&self, old: &Self, is_reached: bool, names: &mut Names) -> Self;

    /// This key, which is not in the document, with the settings that continue from the key before.
    fn continuing(&self, previous: &Self) -> Self {
        let _ = previous;
        self.clone()
    }

    /// Takes the name of another key of its track.
    fn take_name(&mut self, other: &Self) {
        let _ = other;
    }
}

/// The old field if its text equals the new text; otherwise the new field, filled like the old.
fn name<const N: usize>(new: &Name<N>, old: &Name<N>) -> Name<N> {
    let is_same = old.cleared() == *new
        || Name::<N>::encode(&old.text(), true).is_ok_and(|encoded| encoded.name == *new);
    if is_same { *old } else { new.filled_like(old) }
}

/// The names restored last, which serve for a whole track: new, old, and restored.
#[derive(Default)]
pub(super) struct Names(Option<[Name<15>; 3]>);

impl Names {
    /// The old field if its text equals the new text.
    fn restored(&mut self, new: &Name<15>, old: &Name<15>) -> Name<15> {
        match self.0 {
            Some([last_new, of, restored]) if last_new == *new && of == *old => restored,
            _ => {
                let restored = name(new, old);
                self.0 = Some([*new, *old, restored]);
                restored
            }
        }
    }
}

/// The old curve if both run alike, or neither counts.
fn curve(new: [u8; 4], old: [u8; 4], is_reached: bool) -> [u8; 4] {
    if !is_reached || timing(new) == timing(old) { old } else { new }
}

impl Restore for BoneKeyframe {
    fn restored(&self, old: &Self, is_reached: bool, names: &mut Names) -> Self {
        let (olds, news) = (BoneChannel::ALL.map(|c| old.curve(c)), BoneChannel::ALL.map(|c| self.curve(c)));
        let curves: [[u8; 4]; 4] = std::array::from_fn(|n| curve(news[n], olds[n], is_reached));
        let (played, _) = rotation::unit(old.rotation, true);
        Self {
            name: names.restored(&self.name, &old.name),
            rotation: if played == self.rotation { old.rotation } else { self.rotation },
            interpolation: match curves == olds {
                true => old.interpolation,
                false => Self::interpolation_bytes(curves, old.physics()),
            },
            ..*self
        }
    }

    fn continuing(&self, previous: &Self) -> Self {
        let curves = BoneChannel::ALL.map(|channel| self.curve(channel));
        let physics = match previous.physics() {
            Physics::Unknown => Physics::On,
            same => same,
        };
        Self { interpolation: Self::interpolation_bytes(curves, physics), ..*self }
    }

    fn take_name(&mut self, other: &Self) {
        self.name = name(&other.name, &self.name);
    }
}

impl Restore for MorphKeyframe {
    fn restored(&self, old: &Self, _is_reached: bool, names: &mut Names) -> Self {
        Self { name: names.restored(&self.name, &old.name), ..*self }
    }

    fn take_name(&mut self, other: &Self) {
        self.name = name(&other.name, &self.name);
    }
}

impl Restore for CameraKeyframe {
    fn restored(&self, old: &Self, is_reached: bool, _names: &mut Names) -> Self {
        let channels = CameraChannel::ALL;
        let (olds, news) = (channels.map(|c| old.curve(c)), channels.map(|c| self.curve(c)));
        let curves: [[u8; 4]; 6] = std::array::from_fn(|n| curve(news[n], olds[n], is_reached));
        Self {
            interpolation: match curves == olds {
                true => old.interpolation,
                false => Self::interpolation_bytes(curves),
            },
            fov_deg: if fov(old.fov_deg) == self.fov_deg { old.fov_deg } else { self.fov_deg },
            perspective_off: switch(self.perspective_off, old.perspective_off),
            ..*self
        }
    }
}

/// A field of view within the range of the file.
fn fov(stored: u32) -> u32 {
    let (least, widest) = defaults::FOV_RANGE_DEG;
    stored.clamp(least, widest)
}

impl Restore for LightKeyframe {
    fn restored(&self, _old: &Self, _is_reached: bool, _names: &mut Names) -> Self {
        *self
    }
}

impl Restore for ShadowKeyframe {
    fn restored(&self, _old: &Self, _is_reached: bool, _names: &mut Names) -> Self {
        *self
    }
}

impl Restore for ModelKeyframe {
    fn restored(&self, old: &Self, _is_reached: bool, _names: &mut Names) -> Self {
        let of = |old: &IkSwitch| self.ik.iter().find(|new| is_same_bone(new, old));
        let mut ik = Vec::with_capacity(self.ik.len());
        for (at, listed) in old.ik.iter().enumerate() {
            // A renamed bone is in no old list, so that the new one counts as a whole.
            let Some(new) = of(listed) else { return self.clone() };
            // Of a bone that is listed twice the last state counts.
            let is_last = !old.ik.iter().skip(at + 1).any(|later| later.bone() == listed.bone());
            let enabled = if is_last { switch(new.enabled, listed.enabled) } else { listed.enabled };
            ik.push(IkSwitch { enabled, ..*listed });
        }
        // A bone that a key does not list is on.
        let is_listed = |new: &IkSwitch| old.ik.iter().any(|listed| is_same_bone(new, listed));
        ik.extend(self.ik.iter().filter(|new| new.enabled == 0 && !is_listed(new)));
        Self { visible: switch(self.visible, old.visible), ik, frame: self.frame }
    }
}

fn is_same_bone(new: &IkSwitch, old: &IkSwitch) -> bool {
    name(&new.bone(), &old.bone()) == old.bone()
}

/// The old byte if both bytes mean the same switch.
const fn switch(new: u8, old: u8) -> u8 {
    if (new != 0) == (old != 0) { old } else { new }
}
