//! Lengths of quaternions at keys.

use dopesheet_core::model::{Blend, Channel, Clip, Composition, Curve, Property};

/// Difference of a length from 1 by single precision.
const ROUNDING: f64 = 1e-6;

/// Gives rotations on cubic ways keys of unit length, with slopes as much shorter, as formats of unit quaternions write them; true if a key
/// had a different length. The motion stays the same at the keys, and nearly the same between them.
pub fn shorten_keys(clip: &mut Clip) -> bool {
    let channels = clip.tracks.iter_mut().flat_map(|track| &mut track.channels);
    let rotations = channels.filter(|channel| channel.property == Property::Rotation);
    rotations.map(shorten).filter(|had_length| *had_length).count() > 0
}

fn shorten(channel: &mut Channel) -> bool {
    let Composition::Whole(curve) = &mut channel.composition else { return false };
    if curve.width != 4 || !curve.laws.runs().any(|law| law.blend == Blend::Hermite) {
        return false;
    }
    let lengths: Vec<f64> = curve.values.chunks_exact(4).map(length).collect();
    let is_long = |length: &f64| (length - 1.0).abs() > ROUNDING && *length > 0.0;
    for (key, length) in lengths.iter().enumerate().filter(|(_, length)| is_long(length)) {
        divide(curve, key, *length);
    }
    lengths.iter().any(is_long)
}

fn length(quaternion: &[f32]) -> f64 {
    quaternion.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// Divides a key and its slopes by a length.
fn divide(curve: &mut Curve, key: usize, length: f64) {
    let handles = curve.handles.as_deref_mut();
    let columns = handles.into_iter().flat_map(|handles| [&mut handles.arriving, &mut handles.leaving]);
    for column in columns.chain([&mut curve.values]) {
        let row = column.get_mut(key.saturating_mul(4)..).and_then(<[f32]>::first_chunk_mut::<4>);
        for number in row.into_iter().flatten() {
            *number = (f64::from(*number) / length) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Handles, Law, Laws, Target, TargetKind, Times, Track};

    #[test]
    fn keys_of_cubic_rotations_get_unit_length_with_their_slopes() {
        let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.3, 0.0, 0.4];
        let curve = Curve::new(Times::Seconds([0.0, 1.0].into()), 4, values, Laws::uniform(Law::HERMITE));
        let slopes = vec![0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0];
        let curve =
            Curve { handles: Some(Box::new(Handles { arriving: slopes.clone(), leaving: slopes })), ..curve };
        let channels = vec![Channel::whole(Property::Rotation, curve)];
        let target = Target::new(TargetKind::Joint, "arm", 0, None);
        let mut clip = Clip { tracks: vec![Track { target, channels }], ..Clip::default() };
        assert!(shorten_keys(&mut clip));
        let curve = clip.tracks[0].channels[0].composition.curves().next().unwrap();
        assert_eq!(curve.values[..], [0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]);
        assert_eq!(curve.handles.as_ref().unwrap().leaving[..], [0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(!shorten_keys(&mut clip));
    }
}
