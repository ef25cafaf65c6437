//! Many samples at once, on all cores; not where there is only one.

use super::clip::{CompiledClip, Cursor};
use super::pose::SoaPose;
use crate::sample::policy::Policies;
use dopesheet_core::units::Seconds;
use rayon::prelude::*;

/// Samples that a core takes at once, so that its cursor sees times in sequence.
const TIMES_AT_ONCE: usize = 32;

/// One sample of one player among many.
#[derive(Debug)]
pub struct Job<'a> {
    /// Clip that is played.
    pub clip: &'a CompiledClip,
    /// Sample time.
    pub time: Seconds,
    /// Policies at the ends and between keys.
    pub policies: Policies,
    /// The player's own cursor.
    pub cursor: &'a mut Cursor,
    /// Pose that is written.
    pub pose: &'a mut SoaPose,
}

impl Job<'_> {
    /// Samples many clips, on as many cores as the current `rayon` pool has.
    pub fn run_all(jobs: &mut [Job<'_>]) {
        jobs.par_iter_mut().for_each(|job| job.clip.sample(job.time, job.policies, job.cursor, job.pose));
    }
}

impl CompiledClip {
    /// One pose per time, on as many cores as the current `rayon` pool has; fastest if times ascend. The shorter of both
    /// lists counts. Makes a cursor per stretch of work and, for poses of other clips, a pose.
    pub fn sample_many(&self, times: &[Seconds], policies: Policies, poses: &mut [SoaPose]) {
        let stretches = times.par_chunks(TIMES_AT_ONCE).zip(poses.par_chunks_mut(TIMES_AT_ONCE));
        stretches.for_each_init(
            || self.cursor(),
            |cursor, (times, poses)| {
                for (time, pose) in times.iter().zip(poses) {
                    self.sample(*time, policies, cursor, pose);
                }
            },
        );
    }
}
