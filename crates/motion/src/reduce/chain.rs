//! From key to key, each as far as one straight segment goes.

/// How values of one kind lie to each other. A value has `W` numbers, a difference `N`.
pub(super) trait Way<const W: usize, const N: usize> {
    /// From one value to another, in numbers that a straight segment changes evenly.
    fn between(from: &[f32; W], to: &[f32; W]) -> [f64; N];

    /// Whether a straight segment from the first of three keys that goes on beyond the second is surely too far from one of
    /// the others, given what each number may be off. It may say no where it is.
    fn is_surely_bent(_keys: &Three<'_, W>, _bound: f64) -> bool {
        false
    }
}

/// Three neighbouring keys.
pub(super) struct Three<'a, const W: usize> {
    pub(super) values: &'a [[f32; W]; 3],
    /// From the first key to each of the others, above 0.
    pub(super) lengths: [f64; 2],
}

/// Numbers that are what they are.
pub(super) struct Straight;

impl<const N: usize> Way<N, N> for Straight {
    fn between(from: &[f32; N], to: &[f32; N]) -> [f64; N] {
        let mut way = [0.0; N];
        for ((way, from), to) in way.iter_mut().zip(from).zip(to) {
            *way = f64::from(*to) - f64::from(*from);
        }
        way
    }
}

/// The directions in which a straight segment from a key passes all keys looked at since.
struct Cone<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

impl<const N: usize> Cone<N> {
    const OPEN: Self = Self { low: [f64::NEG_INFINITY; N], high: [f64::INFINITY; N] };

    /// Whether it holds the way to a key.
    fn holds(&self, slope: &[f64; N]) -> bool {
        (0..N).all(|n| self.low[n] <= slope[n] && slope[n] <= self.high[n])
    }

    /// Narrows it to what passes a key by at most `slack`, as a slope too; yields whether anything is left.
    fn narrow(&mut self, slope: &[f64; N], slack: f64) -> bool {
        let mut is_open = true;
        for (n, slope) in slope.iter().enumerate() {
            self.low[n] = self.low[n].max(slope - slack);
            self.high[n] = self.high[n].min(slope + slack);
            is_open &= self.low[n] <= self.high[n];
        }
        is_open
    }
}

/// The keys of a curve.
pub(super) struct Stretches<'a, const W: usize> {
    times: &'a [f64],
    values: &'a [[f32; W]],
    /// What each number of a difference may be.
    bound: f64,
}

impl<'a, const W: usize> Stretches<'a, W> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f32; W]], bound: f64) -> Self {
        Self { times, values, bound }
    }

    /// The keys that stay. Both keys of a jump do, so that what lies between jumps stands for itself.
    pub(super) fn kept<K: Way<W, N>, const N: usize>(&self) -> Vec<usize> {
        let mut kept = Vec::with_capacity(self.times.len());
        let mut first = 0;
        for times in self.times.chunk_by(|time, next| time < next) {
            let values = self.values.get(first..first + times.len()).unwrap_or_default();
            let stretch = Stretches { times, values, bound: self.bound };
            stretch.chain::<K, N>(|key| kept.push(first + key));
            first += times.len();
        }
        kept
    }

    /// Names the keys of a stretch without jumps that stay.
    fn chain<K: Way<W, N>, const N: usize>(&self, mut keep: impl FnMut(usize)) {
        let mut start = 0;
        keep(start);
        while start + 1 < self.times.len() {
            start = if self.is_surely_bent::<K, N>(start) { start + 1 } else { self.farthest::<K, N>(start) };
            keep(start);
        }
    }

    /// Whether the next key surely has to stay.
    fn is_surely_bent<K: Way<W, N>, const N: usize>(&self, start: usize) -> bool {
        let times = self.times.get(start..).and_then(<[f64]>::first_chunk::<3>);
        let values = self.values.get(start..).and_then(<[[f32; W]]>::first_chunk::<3>);
        let (Some([a, b, c]), Some(values)) = (times, values) else { return false };
        K::is_surely_bent(&Three { values, lengths: [b - a, c - a] }, self.bound)
    }

    /// The last key that a straight segment from `start` may go to.
    fn farthest<K: Way<W, N>, const N: usize>(&self, start: usize) -> usize {
        let mut found = start + 1;
        let mut keys = self.times.iter().zip(self.values).enumerate().skip(start);
        let Some((_, (from_time, from))) = keys.next() else { return found };
        let mut cone = Cone::OPEN;
        for (key, (time, value)) in keys {
            let span = (time - from_time).recip();
            let mut slope = K::between(from, value);
            slope.iter_mut().for_each(|x| *x *= span);
            if cone.holds(&slope) {
                found = key;
            }
            if !cone.narrow(&slope, self.bound * span) {
                break;
            }
        }
        found
    }
}
