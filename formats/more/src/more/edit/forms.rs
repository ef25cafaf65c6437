//! Keys in the form of another version: short or long times, stored or full derivatives.

use crate::more::animation::{Keys, Shape, Stored, Times, Values};
use crate::more::codes;
use crate::more::info::ID;
use crate::more::layout::KeyForm;
use crate::more::packed::{EulerCode, OutOfRange, Rounding, angle, quat32, quat48, time};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place, Report};
use dopesheet_core::words::{counted, number};

/// Smallest reported movement of a key, in seconds: more than the error of times in single precision.
const REMARKABLE_S: f64 = 1e-5;

/// Changes caused by shorter times.
#[derive(Debug, Default)]
pub(super) struct TimeChanges {
    /// Rounding of values that become codes.
    rounding: Rounding,
    /// Keys moved by more than [`REMARKABLE_S`].
    far: usize,
    /// The largest movement, in seconds.
    worst: f64,
    /// Keys moved to the time of the key before.
    merged: usize,
    /// Destination derivatives of quaternions, dropped without a change of meaning.
    ignored: usize,
}

impl TimeChanges {
    /// No changes yet; `rounding` is used for values that become codes.
    pub(super) fn by(rounding: Rounding) -> Self {
        Self { rounding, ..Self::default() }
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.far + self.merged > 0 {
            let actual = format!(
                "{} moved by up to {} ms, and {} fell on the time of the previous key",
                counted(self.far, "key"),
                number(1e3 * self.worst),
                self.merged
            );
            let check = codes::TIME_MOVED;
            report
                .push(check.severity, Fault::new(check.code, Place::File, "times that 16 bits hold", actual));
        }
        if self.ignored > 0 {
            let what = format!("{} of rotations", counted(self.ignored, "destination derivative"));
            report.dropped(what, "the game ignores them, and the version cannot hold them");
        }
    }
}

fn out_of_range(what: &str, error: OutOfRange) -> ConvertError {
    let expected = format!("{what} of {} to {}", error.least, error.most);
    let fault = Fault::new(codes::FORM_MISMATCH.code, Place::File, expected, error.value.to_string());
    ConvertError::new(ID, ConvertErrorKind::Fault(Box::new(fault)))
}

/// Converts keys from one form to another of the same type.
pub(super) fn change(
    keys: &mut Keys,
    from: KeyForm,
    to: KeyForm,
    moved: &mut TimeChanges,
) -> Result<(), ConvertError> {
    if from.short_times != to.short_times {
        keys.times = match to.short_times {
            true => Times::Codes(shorten(&keys.times, moved)?),
            false => Times::Seconds(keys.times.iter().map(|t| t as f32).collect()),
        };
    }
    let (Shape::Bezier(bezier), Some((form, has_dst))) = (&mut keys.shape, to.derivatives) else {
        return Ok(());
    };
    bezier.der_src = recoded(&bezier.der_src, form, moved.rounding)?;
    bezier.der_dst = match (bezier.der_dst.take(), has_dst) {
        (Some(der_dst), true) => Some(recoded(&der_dst, form, moved.rounding)?),
        (None, true) => Some(bezier.der_src.clone()),
        (Some(der_dst), false) => {
            moved.ignored += der_dst.len();
            None
        }
        (None, false) => None,
    };
    Ok(())
}

fn shorten(times: &Times, moved: &mut TimeChanges) -> Result<Vec<u16>, ConvertError> {
    let mut codes = Vec::with_capacity(times.len());
    for seconds in times.iter() {
        let code = time::encode(seconds, moved.rounding).map_err(|e| out_of_range("a time", e))?;
        let error = (time::decode(code) - seconds).abs();
        moved.worst = moved.worst.max(error);
        moved.far += usize::from(error > REMARKABLE_S);
        moved.merged += usize::from(codes.last() == Some(&code));
        codes.push(code);
    }
    Ok(codes)
}

/// Values in another stored form.
fn recoded(values: &Values, form: Stored, rounding: Rounding) -> Result<Values, ConvertError> {
    if values.stored() == form {
        return Ok(values.clone());
    }
    let all = (0..values.len()).map(|key| values.decoded(key, EulerCode::Affine));
    let quaternions = all.clone().filter_map(|v| v.first_chunk::<4>().copied());
    let no_direction = || out_of_range("a length", OutOfRange { value: 0.0, least: 1.0, most: 1.0 });
    match form {
        Stored::Quaternion => Ok(Values::Quaternions(quaternions.map(|q| q.map(|x| x as f32)).collect())),
        Stored::Vector3 => {
            let vectors = all.filter_map(|v| v.first_chunk::<3>().map(|v| v.map(|x| x as f32)));
            Ok(Values::Vectors(vectors.collect()))
        }
        Stored::Quaternion32 => {
            let codes = quaternions.map(|q| quat32::encode(q, rounding).ok_or_else(no_direction));
            Ok(Values::Quaternions32(codes.collect::<Result<_, _>>()?))
        }
        Stored::Quaternion48 => {
            let codes = quaternions.map(|q| quat48::encode(q, rounding).ok_or_else(no_direction));
            Ok(Values::Quaternions48(codes.collect::<Result<_, _>>()?))
        }
        Stored::Angles => {
            let encode = |radians: f64| angle::encode(radians, rounding);
            let codes = all.filter_map(|v| v.first_chunk::<3>().copied()).map(|[x, y, z]| {
                let triple = || Ok([encode(x)?, encode(y)?, encode(z)?]);
                triple().map_err(|error| out_of_range("an angle", error))
            });
            Ok(Values::Angles(codes.collect::<Result<_, _>>()?))
        }
        Stored::U16 | Stored::F32 => Ok(values.clone()),
    }
}
