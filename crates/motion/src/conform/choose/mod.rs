//! Keep the keys a format can express; put straight or cubic segments in place of the others.

mod angles;
pub(super) mod drop;
pub(super) mod ease;
mod steps;

use crate::conform::budget::ErrorBudget;
use crate::conform::laws::{Destination, is_free, kept, tidy_handles};
use crate::conform::tally::{Tally, key_count};
use crate::cores;
use crate::difference::ChannelError;
use crate::keys::cubic::cubic;
use crate::keys::cut::{Cut, cut};
use crate::keys::splice::spliced;
use crate::keys::{Allowance, Linearised, SharedTimes, linearise};
use angles::keep_angles;
use dopesheet_core::format::{KeyLayout, LawSet};
use dopesheet_core::model::{Blend, Channel, Clip, Property, Track, ValueKind};
use drop::lighter;
use ease::{ease, merge};
use std::ops::Range;
use steps::hold_steps;

/// A new track within some share of the tolerance.
pub(in crate::conform) struct ChosenTrack {
    track: Track,
    shared: SharedTimes,
    /// For each channel, the origin of its keys.
    origins: Vec<Origin>,
    /// See [`ErrorBudget::given`].
    given: Option<(f64, bool)>,
}

/// Number of keys of the channel's source, and the error against it; `None` keeps the channel out of the
/// report.
pub(in crate::conform) type Origin = Option<(usize, ChannelError)>;

impl ChosenTrack {
    fn new(source: &Track, target: &Destination<'_>, budget: Option<&ErrorBudget>) -> Self {
        let mut track = source.clone();
        let (mut shared, mut origins) = (SharedTimes::default(), Vec::new());
        let given = budget.map(|all| all.given(source));
        let (_, is_straight) = given.unwrap_or((0.0, false));
        let target = Destination { cubic: target.cubic && !is_straight, ..*target };
        choose_for_track(&mut track, &target, budget, &mut shared, &mut origins);
        Self { track, shared, origins, given }
    }

    /// This track with the keys of a finer one in some stretches; the finer track if they cannot be joined.
    fn with(self, finer: Self, stretches: &[Range<f64>]) -> Self {
        let channels = self.track.channels.iter().zip(&finer.track.channels);
        let channels: Option<Vec<Channel>> =
            channels.map(|(own, finer)| spliced(own, finer, stretches)).collect();
        let is_same = self.track.channels.len() == finer.track.channels.len();
        let Some(mut channels) = channels.filter(|_| is_same) else { return finer };
        let mut shared = SharedTimes::default();
        let curves = channels.iter_mut().flat_map(|channel| channel.composition.curves_mut());
        curves.for_each(|curve| curve.times = shared.share(curve.times.clone()));
        let origin = |(own, finer): (&Origin, &Origin)| {
            let ((keys, own), (_, finer)) = own.zip(*finer)?;
            let largest = if own.largest.value < finer.largest.value { own.largest } else { finer.largest };
            // What is off most may be in a stretch that has other keys now: that is measured.
            Some((keys, ChannelError { largest, bound: own.bound.max(finer.bound) }))
        };
        let origins = self.origins.iter().zip(&finer.origins).map(origin).collect();
        Self { track: Track { channels, ..finer.track }, shared, origins, ..finer }
    }

    /// The track, moved out: this value is not used again.
    fn give_up(&mut self) -> Track {
        self.given = None;
        Track { target: self.track.target.clone(), channels: std::mem::take(&mut self.track.channels) }
    }
}

/// Brings every channel of a clip within the target's laws, key times and range. Tracks made `before` for the
/// same clip and target are used again where their share of the tolerance is unchanged; the new tracks are
/// kept for this purpose if they `may_be_used`.
pub(in crate::conform) fn choose_keys(
    clip: &mut Clip,
    target: &Destination<'_>,
    budget: Option<&ErrorBudget>,
    before: &mut Vec<ChosenTrack>,
    may_be_used: bool,
) -> Tally {
    let mut earlier: Vec<Option<ChosenTrack>> = before.drain(..).map(Some).collect();
    earlier.resize_with(clip.tracks.len(), || None);
    *before = cores::map(clip.tracks.iter().zip(earlier).collect(), |(track, earlier)| {
        let given = budget.map(|all| all.given(track));
        match earlier {
            Some(earlier) if earlier.given == given => earlier,
            earlier => {
                let fresh = ChosenTrack::new(track, target, budget);
                let stretches = budget.and_then(|all| all.stretches(track));
                match earlier.zip(stretches) {
                    Some((earlier, stretches)) => earlier.with(fresh, stretches),
                    None => fresh,
                }
            }
        }
    });
    let (mut shared, mut tally) = (SharedTimes::default(), Tally::default());
    for (track, chosen) in clip.tracks.iter_mut().zip(before) {
        let own_times = std::mem::take(&mut chosen.shared);
        *track = if may_be_used { chosen.track.clone() } else { chosen.give_up() };
        let curves = track.channels.iter_mut().flat_map(|channel| channel.composition.curves_mut());
        curves.for_each(|curve| shared.adopt(&own_times, &mut curve.times));
        if may_be_used {
            chosen.shared = own_times;
        }
        for (channel, origin) in track.channels.iter().zip(&chosen.origins) {
            if let Some((keys, error)) = *origin {
                tally.count(channel, keys, error, &track.target, target.plan);
            }
        }
    }
    tally
}

/// Brings the channels of a track within the target's laws.
fn choose_for_track(
    track: &mut Track,
    target: &Destination<'_>,
    budget: Option<&ErrorBudget>,
    shared: &mut SharedTimes,
    origins: &mut Vec<Origin>,
) {
    let cuts = cuts(track, target);
    let divided = cuts.iter().any(Option::is_some).then(|| divided(track, &cuts));
    let keeps = kept(divided.as_ref().unwrap_or(track), target);
    let keeps_all = keeps.iter().all(|keeps| *keeps);
    if let Some(budget) = budget {
        let is_eased = if !keeps_all {
            ease(track, target, budget, origins)
        } else if target.may_drop_all(track) {
            merge(track, divided.as_ref(), target, budget, origins)
        } else {
            false
        };
        if is_eased {
            return;
        }
    }
    let channels = std::mem::take(&mut track.channels).into_iter().zip(cuts);
    for ((source, cut), keeps) in channels.zip(keeps) {
        if !keeps {
            remake(&source, track, target, budget, shared, origins);
            continue;
        }
        let keys = key_count(&source);
        let cut = cut.map(|cut| (cut.channel, ChannelError::sampled(cut.largest)));
        let (mut channel, cut) = cut.unwrap_or((source, ChannelError::default()));
        let laws = laws_of(&channel, target);
        channel.composition.curves_mut().into_iter().for_each(|curve| tidy_handles(curve, laws));
        let (channel, error) = match budget.filter(|_| target.may_drop(track, &channel.property)) {
            Some(all) => {
                let (rest, allowance) = (all.rest(track, &channel.property), all.of(track, &channel));
                lighter(channel, rest.as_deref(), &allowance)
            }
            None => (channel, ChannelError::default()),
        };
        origins.push(Some((keys, error.and(cut))));
        track.channels.push(channel);
    }
}

/// Each channel of a track whose curves are divided at the end of the clip, and go on behind; `None` for
/// other channels.
pub(in crate::conform) fn cuts(track: &Track, target: &Destination<'_>) -> Vec<Option<Cut>> {
    let negative = target.capabilities.negative_times;
    let cut =
        |channel: &Channel| if target.plan.every_frame { None } else { cut(channel, target.plan, negative) };
    track.channels.iter().map(cut).collect()
}

/// A track with the channels of its cuts.
pub(in crate::conform) fn divided(track: &Track, cuts: &[Option<Cut>]) -> Track {
    let channels = track.channels.iter().zip(cuts);
    let channels = channels.map(|(own, cut)| cut.as_ref().map_or(own, |cut| &cut.channel).clone());
    Track { target: track.target.clone(), channels: channels.collect() }
}

/// Puts channels with new keys in the place of one.
fn remake(
    channel: &Channel,
    track: &mut Track,
    target: &Destination<'_>,
    budget: Option<&ErrorBudget>,
    shared: &mut SharedTimes,
    origins: &mut Vec<Origin>,
) {
    let plan = target.plan;
    let keys = key_count(channel);
    let may_step = !plan.every_frame && (laws_of(channel, target).step || is_free(track.target.kind));
    let fitted = if may_step { hold_steps(channel, plan, shared) } else { None };
    let fitted = fitted.or_else(|| keep_angles(channel, target, shared));
    let fit = ChannelFit { track, target, budget, channel };
    let fitted = match fitted {
        Some(fitted) => Some(fit.without_keys_to_spare(fitted, 1.0)),
        None => {
            let straight = fit.smallest(|allowance| linearise(channel, plan, allowance, shared));
            let cubic = fit.smallest(|allowance| tangents(channel, target, allowance?, shared));
            smaller_of(channel, straight, cubic, laws_of(channel, target).mixed)
        }
    };
    for (fitted, error) in fitted.into_iter().flatten() {
        origins.push(Some((keys, error)));
        track.channels.push(fitted);
    }
}

const fn laws_of<'a>(channel: &Channel, target: &Destination<'a>) -> &'a LawSet {
    match channel.property.kind() {
        ValueKind::Rotation => &target.capabilities.rotation_laws,
        _ => &target.capabilities.vector_laws,
    }
}

/// Cubic segments, where the format has them and the caller wants them.
fn tangents(
    channel: &Channel,
    target: &Destination<'_>,
    allowance: Allowance,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    let laws = match channel.property {
        // It becomes a translation and a rotation.
        Property::Placement => [&target.capabilities.vector_laws, &target.capabilities.rotation_laws],
        _ => [laws_of(channel, target); 2],
    };
    let is_wanted = laws.iter().all(|laws| laws.hermite && (target.cubic || laws.mixed));
    let is_alone = target.capabilities.layout == KeyLayout::PerChannel;
    let mixed = laws.iter().all(|laws| laws.mixed);
    if is_wanted && is_alone { cubic(channel, target.plan, allowance, mixed, shared) } else { None }
}

/// Channels, and how far each is from its source.
type FittedChannels = Vec<(Channel, ChannelError)>;

/// Straight segments, or cubic ones where these are the source's own or need fewer keys; in a format whose
/// curves have tangents at all keys or at none, where cubic ones need fewer numbers.
fn smaller_of(
    source: &Channel,
    straight: Option<FittedChannels>,
    cubic: Option<FittedChannels>,
    mixed: bool,
) -> Option<FittedChannels> {
    let has_cubics =
        source.composition.curves().any(|curve| curve.laws.runs().any(|law| law.blend == Blend::Hermite));
    let is_exact = |made: &FittedChannels| made.iter().all(|(_, error)| error.largest.value == 0.0);
    let size = |made: &FittedChannels, values: usize| -> usize {
        made.iter().map(|(channel, _)| numbers(channel, values, mixed)).sum()
    };
    let is_less =
        |straight: &FittedChannels, cubic: &FittedChannels| match (is_exact(straight), is_exact(cubic)) {
            (true, false) => false,
            (false, true) if has_cubics => true,
            _ => size(cubic, 3) < size(straight, 1),
        };
    match (straight, cubic) {
        (Some(straight), Some(cubic)) if !is_less(&straight, &cubic) => Some(straight),
        (straight, cubic) => cubic.or(straight),
    }
}

/// Count of the numbers in a channel with `values` values at a key, or three with tangents; in a format with
/// a law per segment, the number of keys.
fn numbers(channel: &Channel, values: usize, mixed: bool) -> usize {
    let has_tangents = channel.composition.curves().any(|curve| curve.handles.is_some());
    let values = if has_tangents { 3 } else { values };
    let each = if mixed { 1 } else { values.saturating_mul(width(channel)).saturating_add(1) };
    key_count(channel).saturating_mul(each)
}

/// Number of numbers in a value.
fn width(channel: &Channel) -> usize {
    channel.composition.curves().map(|curve| curve.width).sum()
}

/// A channel to be fitted with new keys.
struct ChannelFit<'a> {
    channel: &'a Channel,
    track: &'a Track,
    target: &'a Destination<'a>,
    budget: Option<&'a ErrorBudget>,
}

impl ChannelFit<'_> {
    /// The channels fitted within the allowance. Where keys may be dropped, either these, or channels fitted
    /// within half of the allowance and made lighter by the other half, whichever takes less room: where few
    /// keys are the source's own, dropping saves little.
    fn smallest(
        &self,
        mut make: impl FnMut(Option<Allowance>) -> Option<Linearised>,
    ) -> Option<FittedChannels> {
        let allowance = self.budget.map(|all| all.of(self.track, self.channel));
        let fitted = make(allowance).map(|fitted| fitted.into_errors().collect::<FittedChannels>());
        if !self.target.may_drop(self.track, &self.channel.property) {
            return fitted;
        }
        let halves =
            make(allowance.map(|all| all.scaled(0.5))).map(|fitted| self.without_keys_to_spare(fitted, 0.5));
        let size = |fitted: &FittedChannels| {
            fitted.iter().map(|(fitted, _)| numbers(fitted, 1, false)).sum::<usize>()
        };
        match (fitted, halves) {
            (Some(fitted), Some(halves)) if size(&fitted) < size(&halves) => Some(fitted),
            (fitted, halves) => halves.or(fitted),
        }
    }

    /// Channels without keys whose effect is less than a part of the allowance, if keys may be dropped.
    fn without_keys_to_spare(&self, linearised: Linearised, part: f64) -> FittedChannels {
        let budget = self.budget.filter(|_| self.target.may_drop(self.track, &self.channel.property));
        let one = |(channel, error): (Channel, ChannelError)| {
            let Some(all) = budget else { return (channel, error) };
            let rest = all.rest(self.track, &channel.property);
            let allowance = all.of(self.track, self.channel).scaled(part);
            let (channel, dropped) = lighter(channel, rest.as_deref(), &allowance);
            (channel, error.and(dropped))
        };
        linearised.into_errors().map(one).collect()
    }
}
