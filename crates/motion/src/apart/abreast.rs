//! Where joints are at four times at once, about: what bounds rest on.

use super::lane::{Accuracy, Lane};
use super::moments::Moment;
use super::stage::{Local, Onto};
use crate::evaluate::Side;
use crate::segment::{Abreast, Four};
use glam::{DQuat, Mat3A, Vec3A};

/// Most numbers of a value: those of a translation and a rotation.
const MOST: usize = 7;

/// What moves a joint relative to its parent.
pub(super) struct Mover<'a> {
    pub(super) parent: Option<usize>,
    drives: Vec<Drive<'a>>,
    translation: [Four; 3],
    rotation: [Four; 4],
}

/// What moves one part of it.
struct Drive<'a> {
    lane: Lane<'a>,
    onto: Onto,
    /// What it does around the last times, as far as that is known.
    known: Option<Abreast>,
}

/// How a joint is turned in model space at four times: each number in its row.
pub(super) type Turns = [Four; 4];

/// Where a joint is at some time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// From what it hangs on.
    pub(super) lever: Vec3A,
    /// How what it hangs on is turned.
    pub(super) above: Mat3A,
}

impl<'a> Mover<'a> {
    pub(super) fn new(
        parent: Option<usize>,
        local: &Local,
        lanes: impl Iterator<Item = (Lane<'a>, Onto)>,
    ) -> Self {
        let drives = lanes.map(|(lane, onto)| Drive { lane, onto, known: None }).collect();
        let translation = local.translation.to_array().map(|x| [x as f32; 4]);
        let rotation = local.rotation.to_array().map(|x| [x as f32; 4]);
        Self { parent, drives, translation, rotation }
    }

    /// Brings it to four times in order.
    pub(super) fn go_to(&mut self, times: &[f64; 4]) {
        for drive in &mut self.drives {
            let mut rows = [[0.0; 4]; MOST];
            drive.values(times, &mut rows);
            let base = drive.onto.base();
            let [x, y, z, rotation @ ..] = rows;
            if drive.onto.is_translation() {
                let base = base.translation.to_array();
                self.translation = std::array::from_fn(|n| rows[n].map(|x| x + base[n] as f32));
            } else if drive.onto.is_rotation() {
                let value = std::array::from_fn(|n| rows[n]);
                self.rotation = match base.rotation == DQuat::IDENTITY {
                    true => value,
                    false => product(&base.rotation.to_array().map(|x| [x as f32; 4]), &value),
                };
            } else if drive.onto.is_placement() {
                (self.translation, self.rotation) = ([x, y, z], rotation);
            }
        }
    }

    /// How it is turned in model space, where its parent is turned so.
    pub(super) fn turns(&self, above: Option<&Turns>) -> Turns {
        let Some(above) = above else { return self.rotation };
        let mut turns = product(above, &self.rotation);
        // Long chains do not drift off length 1: one of Newton's steps.
        let factor: Four =
            std::array::from_fn(|k| 1.5 - 0.5 * turns.iter().map(|row| row[k] * row[k]).sum::<f32>());
        turns.iter_mut().for_each(|row| row.iter_mut().zip(factor).for_each(|(x, factor)| *x *= factor));
        turns
    }

    /// Where it is, where its parent is turned so.
    pub(super) fn frames(&self, above: Option<&Turns>) -> [Frame; 4] {
        let [x, y, z] = &self.translation;
        std::array::from_fn(|k| {
            let lever = Vec3A::new(x[k], y[k], z[k]);
            let above = above.map_or(Mat3A::IDENTITY, |turns| {
                Mat3A::from_quat(glam::Quat::from_array(turns.each_ref().map(|row| row[k])))
            });
            Frame { lever: above * lever, above }
        })
    }
}

impl Drive<'_> {
    fn values(&mut self, times: &[f64; 4], rows: &mut [Four]) {
        if !self.known.as_ref().is_some_and(|known| known.covers(times)) {
            self.known = self.lane.abreast([times[0], times[3]]).filter(|known| known.covers(times));
        }
        match &mut self.known {
            Some(known) => known.values(times, rows),
            None => self.look(times, rows),
        }
    }

    /// Looks at each time by itself.
    fn look(&mut self, times: &[f64; 4], rows: &mut [Four]) {
        for (k, &time) in times.iter().enumerate() {
            self.lane.advance(&Moment::new(time, Side::At, false), time, Accuracy::Near);
            for (row, value) in rows.iter_mut().zip(&self.lane.value) {
                row[k] = *value as f32;
            }
        }
    }
}

/// Of two rotations, of which the second comes first.
fn product([ax, ay, az, aw]: &Turns, [bx, by, bz, bw]: &Turns) -> Turns {
    let mut out = [[0.0; 4]; 4];
    for k in 0..4 {
        out[0][k] = aw[k] * bx[k] + ax[k] * bw[k] + ay[k] * bz[k] - az[k] * by[k];
        out[1][k] = aw[k] * by[k] - ax[k] * bz[k] + ay[k] * bw[k] + az[k] * bx[k];
        out[2][k] = aw[k] * bz[k] + ax[k] * by[k] - ay[k] * bx[k] + az[k] * bw[k];
        out[3][k] = aw[k] * bw[k] - ax[k] * bx[k] - ay[k] * by[k] - az[k] * bz[k];
    }
    out
}
