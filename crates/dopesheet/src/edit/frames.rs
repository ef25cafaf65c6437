//! Times of keys in formats whose keys stand on frames alone.

use super::Draft;
use crate::error::Error;
use dopesheet_core::format::KeyLayout;
use dopesheet_core::model::{Clip, Curve};
use dopesheet_core::words::counted;
use dopesheet_edit::{OnFrames, on_frames};
use std::ops::Range;

/// Largest number of keys for each earlier key, if times stay exact.
const MOST_KEYS: usize = 2;

impl Draft {
    /// Puts the keys of clips whose speed changed on frames, if the format has no other key times: the same
    /// keys on the nearest frames, or, to keep times `exact`, as many keys as the tolerance needs.
    pub(super) fn settle(&mut self, clips: Range<usize>, exact: bool) -> Result<(), Error> {
        if self.opened.is_in_memory() {
            return Ok(());
        }
        let capabilities = self.opened.format().capabilities(&self.scene, None);
        let Some(rate) = capabilities.grid.filter(|_| capabilities.layout != KeyLayout::EveryFrame) else {
            return Ok(());
        };
        if exact {
            return self.add_keys();
        }
        let wanted = self.measure.is_exact().then(|| self.scene.clone());
        let mut changes = OnFrames::default();
        for clip in self.scene.clips.get_mut(clips).unwrap_or_default() {
            let OnFrames { moved, lost } = on_frames(clip, rate);
            changes = OnFrames { moved: changes.moved + moved, lost: changes.lost + lost };
        }
        if changes.lost > 0 {
            let why = "later ones of their tracks came to the same frames; retime --exact adds keys instead";
            self.report.dropped(counted(changes.lost, "key"), why);
        }
        if changes.moved > 0 {
            let what = format!("{} with keys on the nearest frames", counted(changes.moved, "curve"));
            self.measure.fitted(wanted, true, std::iter::once(what));
        }
        Ok(())
    }

    /// Brings the scene within its format now. Refused if more than twice the keys are needed.
    fn add_keys(&mut self) -> Result<(), Error> {
        let before = self.keys();
        if let Some(beyond) = self.fit()? {
            return Err(refused(&format!(
                "expected keys within the tolerance, found {}",
                beyond.fault.found
            )));
        }
        let (key_count, most_keys) = (self.keys(), before.saturating_mul(MOST_KEYS));
        match key_count > most_keys {
            true => Err(refused(&format!(
                "expected up to {most_keys} keys within the tolerance, found that it takes {key_count}"
            ))),
            false => Ok(()),
        }
    }

    /// Number of keys.
    fn keys(&self) -> usize {
        self.scene.clips.iter().map(keys).sum()
    }
}

fn refused(why: &str) -> Error {
    Error::Usage(format!("retime: {why}; without --exact the same keys go to the nearest frames"))
}

/// Number of keys of a clip.
fn keys(clip: &Clip) -> usize {
    clip.curves().map(Curve::len).sum()
}
