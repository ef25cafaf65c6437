//! Key times of two animations, of which those are one that files round differently.

/// The f32 nearest to a time: what files and players have of it. Beyond the largest, the time itself.
pub(super) fn single(time: f64) -> f64 {
    let nearest = time as f32;
    if nearest.is_finite() { nearest.into() } else { time }
}

/// How far apart the numbers are that an f32 can be near a time.
pub(super) fn f32_step(time: f64) -> f64 {
    let near = time.abs() as f32;
    f64::from(near.next_up()) - f64::from(near)
}

/// Key times that are one time in different roundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instant {
    pub(super) first: f64,
    pub(super) last: f64,
    /// When A has it, and B; `None` where its times are more than roundings of each other, as those of jumps are.
    pub(super) own: Option<[f64; 2]>,
    pub(super) is_jump: bool,
}

impl Instant {
    /// A time that is the same on both sides and in files.
    const fn plain(time: f64) -> Self {
        Self { first: time, last: time, own: Some([time; 2]), is_jump: false }
    }

    /// Of key times that are one, with the sides whose they are.
    fn of(keys: &[(f64, Option<usize>)], first: f64, last: f64) -> Self {
        let of =
            |wanted| keys.iter().find(|(_, side)| *side == Some(wanted)).map_or(first, |(time, _)| *time);
        let is_rounding = last - first <= f32_step(last) / 2.0;
        let (own, single) = ([of(0), of(1)], single(first));
        if is_rounding {
            Self { first: first.min(single), last: last.max(single), own: Some(own), is_jump: false }
        } else {
            Self { first, last, own: None, is_jump: false }
        }
    }

    /// Whether a time is this instant, or a rounding of it.
    pub(super) fn is_at(&self, time: f64) -> bool {
        let step = f32_step(time);
        (self.first - step..=self.last + step).contains(&time)
    }
}

/// Instants in order. Nearly all are [plain](Instant::plain), and there may be a million of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Instants {
    /// When each starts, close together because they are searched.
    starts: Vec<f64>,
    /// For each, which of `others` it is, or [`PLAIN`].
    kinds: Vec<u32>,
    others: Vec<Instant>,
}

/// In [`Instants::kinds`]: one that is nothing but its start.
const PLAIN: u32 = u32::MAX;

impl Instants {
    /// Sorted times, with the sides whose keys they are: times within one and a half steps of f32 are one, which is how far a
    /// jump's earlier key in a file of f32 may be from the jump.
    pub(super) fn joined(sorted: &[(f64, Option<usize>)]) -> Self {
        let (starts, kinds) = (Vec::with_capacity(sorted.len()), Vec::with_capacity(sorted.len()));
        let mut instants = Self { starts, kinds, others: Vec::new() };
        let mut later = sorted;
        while let Some((first, _)) = later.first() {
            let is_other = |(time, _): &(f64, Option<usize>)| time - first > 1.5 * f32_step(*first);
            let count = later.iter().position(is_other).unwrap_or(later.len());
            instants.push(Instant::of(&later[..count], *first, later[count - 1].0));
            later = &later[count..];
        }
        instants.starts.shrink_to_fit();
        instants.kinds.shrink_to_fit();
        instants
    }

    fn push(&mut self, instant: Instant) {
        self.starts.push(instant.first);
        self.kinds.push(PLAIN);
        self.put(self.starts.len() - 1, instant);
    }

    fn put(&mut self, index: usize, instant: Instant) {
        self.starts[index] = instant.first;
        match self.kinds[index] {
            PLAIN if instant == Instant::plain(instant.first) => {}
            PLAIN => {
                self.kinds[index] = self.others.len() as u32;
                self.others.push(instant);
            }
            other => self.others[other as usize] = instant,
        }
    }

    /// Widens the instants of jumps to the neighbouring f32 on both sides: a file of f32 has the jump in between.
    pub(super) fn mark(&mut self, jumps: &[f64]) {
        for &jump in jumps {
            let at = self.starts.partition_point(|start| *start <= jump).checked_sub(1);
            let Some((at, instant)) = at.and_then(|at| Some((at, self.get(at)?))) else { continue };
            let rounded = jump as f32;
            let first = instant.first.min(rounded.next_down().into());
            let last = instant.last.max(rounded.next_up().into());
            self.put(at, Instant { first, last, own: None, is_jump: true });
        }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Instant> {
        match *self.kinds.get(index)? {
            PLAIN => self.starts.get(index).map(|start| Instant::plain(*start)),
            other => self.others.get(other as usize).copied(),
        }
    }

    pub(super) fn last(&self) -> Option<Instant> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Whether one time stands for each of some instants on both sides and in files.
    #[inline]
    pub(super) fn are_plain(&self, indices: [usize; 2]) -> bool {
        indices.iter().all(|index| self.kinds.get(*index) == Some(&PLAIN))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// When each starts.
    #[inline]
    pub(super) fn starts(&self) -> &[f64] {
        &self.starts
    }
}
