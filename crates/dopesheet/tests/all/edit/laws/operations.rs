//! The operations of the matrix: the steps that are done, and the property that the result has.

use super::files::Source;
use super::play::{Targets, between, channels, told};
use super::properties::{Held, Piece, Span, Trial, curves, expect, times};
use dopesheet::ClipChoice;
use dopesheet::core::model::{Clip, Curve, Outside, Scene};
use dopesheet::edit::{Draft, Split, Trim};
use dopesheet::times::TimeValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The word of an operation, its options, and the motions that it puts together with the one that is edited.
pub(crate) type Step = (&'static str, Value, Vec<Arc<Scene>>);

/// Steps, each in a call of its own, and the property of their result.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) word: &'static str,
    pub(crate) steps: fn(&Source, &Span) -> Vec<Step>,
    pub(crate) property: fn(&Trial<'_>) -> Held,
}

fn one(word: &'static str, options: Value) -> Vec<Step> {
    vec![(word, options, Vec::new())]
}

fn twice(word: &'static str, options: [Value; 2]) -> Vec<Step> {
    options.map(|options| (word, options, Vec::new())).into()
}

/// Names of what moves in the first clip, in order, each once.
fn names(source: &Source) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let tracks = source.scene.clips.first().into_iter().flat_map(|clip| &clip.tracks);
    let names = tracks.map(|track| track.target.name.clone());
    names.filter(|name| !name.is_empty() && seen.insert(name.clone())).collect()
}

/// The first of these names as a pattern.
fn first(source: &Source) -> Value {
    json!([names(source).first().map_or("nobody", String::as_str)])
}

/// The motion alone, or what is left of it, after an operation on the source.
fn part(source: &Source, word: &str, options: &Value) -> Arc<Scene> {
    let operation = dopesheet::edit::described(word, &options.to_string(), Vec::new()).unwrap();
    let part = dopesheet::edit(source.file.clone(), &[operation], &ClipChoice::Position(0));
    Arc::new(part.map_or_else(|_| source.scene.clone(), |part| dopesheet::edit::scene(&part).unwrap()))
}

/// The trims that cut a clip in two; none for a clip that cannot be cut.
fn parts(source: &Source, span: &Span) -> Vec<Step> {
    let draft = Draft::new(Arc::new(source.file.clone())).unwrap();
    let at = vec![TimeValue::Seconds(span.stop)];
    let trims = draft.parts(&Split { at, snap: true }, &ClipChoice::Position(0)).unwrap_or_default();
    let time = |time: TimeValue| match time {
        TimeValue::Seconds(seconds) => json!(seconds),
        TimeValue::Frames(frame) => json!(format!("{frame}f")),
    };
    let range = |trim: &Trim| json!({"range": [time(trim.range.start), time(trim.range.end)]});
    trims.iter().map(|trim| ("trim", range(trim), Vec::new())).collect()
}

/// New names, and the way back.
fn renamed(source: &Source) -> [Value; 2] {
    let new = |(at, name): (usize, String)| (name, format!("N{at}x"));
    let there: Vec<(String, String)> = names(source).into_iter().enumerate().map(new).collect();
    let back: Map<String, Value> = there.iter().map(|(old, new)| (new.clone(), json!(old))).collect();
    let there: Map<String, Value> = there.into_iter().map(|(old, new)| (old, json!(new))).collect();
    [json!({"names": there}), json!({"names": back})]
}

/// Plays as before from the start to the end.
fn stays(trial: &Trial<'_>) -> Held {
    trial.ends_at(trial.span.end)?;
    trial.plays(&[Piece::later(0.0, trial.span.end, 0.0)])
}

/// Steps that undo each other leave the file as it was.
fn undone(trial: &Trial<'_>) -> Held {
    trial.is_the_source()
}

/// At so many times the speed it plays as the source.
fn is_faster(trial: &Trial<'_>, speed: f64) -> Held {
    let end = trial.span.end / speed;
    trial.ends_at(end)?;
    trial.plays(&[Piece { start: 0.0, end, speed, offset: 0.0 }])
}

/// The source is played again behind itself, one frame later where poses differ on frames.
fn is_there_twice(trial: &Trial<'_>) -> Held {
    let (end, length) = (trial.span.end, trial.clip().end().0);
    let second = length - end;
    if (second - end).abs() > 1e-5 && (second - end - trial.span.frame()).abs() > 1e-5 {
        return Err(format!("expected an end at {} s or a frame later, found {length} s", 2.0 * end));
    }
    trial.plays(&[Piece::later(0.0, end, 0.0), Piece::later(second, length, -second)])
}

/// All curves outside of a range of keys play as before.
fn only_keys_change(trial: &Trial<'_>, start: f64, stop: f64) -> Held {
    let name = names(trial.source).into_iter().next().unwrap_or_default();
    let starts_again = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
    let (mut before, mut after) = (start, stop);
    // A change within a cycle is played in each of its repetitions, so the cycles of changed curves alone are looked at.
    let (mut from, mut until) = (0.0f64, trial.span.end);
    for (target, curve) in channels(&trial.source.scene)
        .flat_map(|(target, channel)| channel.composition.curves().map(move |curve| (target, curve)))
    {
        let times = || curve.times.iter().map(|time| time.0);
        before = times().filter(|time| *time < start - 1e-6).fold(0.0, f64::max).min(before);
        after = times().filter(|time| *time > stop + 1e-6).fold(f64::INFINITY, f64::min).max(after);
        if let Some((first, last)) = curve.times.span().filter(|_| target.name == name) {
            from = if starts_again(&curve.before) { from.max(first.0) } else { from };
            until = if starts_again(&curve.after) { until.min(last.0) } else { until };
        }
    }
    let pieces = [Piece::later(from, before.min(until), 0.0), Piece::later(after.max(from), until, 0.0)];
    trial.plays(&pieces.into_iter().filter(|piece| piece.start < piece.end).collect::<Vec<_>>())
}

/// Number of keys of the target that operations name, in a range.
fn count_of(clip: &Clip, name: &str, start: f64, end: f64) -> usize {
    let tracks = clip.tracks.iter().filter(|track| track.target.name == name);
    let curves = tracks.flat_map(|track| &track.channels).flat_map(|channel| channel.composition.curves());
    curves
        .flat_map(|curve| curve.times.iter())
        .filter(|time| (start - 1e-4..=end + 1e-4).contains(&time.0))
        .count()
}

/// Numbers of keys of the first target in a range, before and after.
fn counts(trial: &Trial<'_>, start: f64, end: f64) -> [usize; 2] {
    let name = names(trial.source).into_iter().next().unwrap_or_default();
    let before = trial.source.scene.clips.first().cloned().unwrap_or_default();
    [before, trial.clip()].map(|clip| count_of(&clip, &name, start, end))
}

const fn case(
    name: &'static str,
    word: &'static str,
    steps: fn(&Source, &Span) -> Vec<Step>,
    property: fn(&Trial<'_>) -> Held,
) -> Case {
    Case { name, word, steps, property }
}

pub(crate) const CASES: &[Case] = &[
    case(
        "trim",
        "trim",
        |_, span| one("trim", json!({"range": span.range(span.start, span.stop)})),
        |trial| {
            let length = trial.span.stop - trial.span.start;
            trial.ends_at(length)?;
            trial.has_keys_within(0.0, length)?;
            trial.plays(&[Piece::later(0.0, length, trial.span.start)])
        },
    ),
    case(
        "trim --keep-time",
        "trim",
        |_, span| one("trim", json!({"range": span.range(span.start, span.stop), "keep-time": true})),
        |trial| {
            let Span { start, stop, .. } = trial.span;
            trial.ends_at(stop)?;
            // Before it the pose at its start is held.
            let held = Piece { start: 0.0, end: start, speed: 0.0, offset: start };
            let holds =
                trial.source.scene.clips.iter().flat_map(curves).all(|curve| curve.before == Outside::Hold);
            trial.plays(&[Piece::later(start, stop, 0.0)])?;
            if holds { trial.plays(&[held]) } else { Ok(()) }
        },
    ),
    case(
        "delete",
        "delete",
        |_, span| one("delete", json!({"range": span.range(span.start, span.stop)})),
        |trial| {
            let Span { start, stop, end, .. } = trial.span;
            let length = stop - start;
            trial.ends_at(end - length)?;
            let before = Piece::later(0.0, start - trial.span.frame(), 0.0);
            trial.plays(&[before, Piece::later(start, end - length, length)])
        },
    ),
    case(
        "split, the first part",
        "trim",
        |source, span| parts(source, span).first().cloned().into_iter().collect(),
        |trial| {
            let Span { stop, end, .. } = trial.span;
            let length = if stop < end { stop } else { end };
            trial.ends_at(length)?;
            trial.plays(&[Piece::later(0.0, length, 0.0)])
        },
    ),
    case(
        "split, the last part",
        "trim",
        |source, span| parts(source, span).last().cloned().into_iter().collect(),
        |trial| {
            let Span { stop, end, .. } = trial.span;
            let from = if stop < end { stop } else { 0.0 };
            trial.ends_at(end - from)?;
            trial.plays(&[Piece::later(0.0, end - from, from)])
        },
    ),
    case("repeat", "repeat", |_, _| one("repeat", json!({"times": 2})), is_there_twice),
    case(
        "concat",
        "concat",
        |source, _| vec![("concat", json!({}), vec![Arc::new(source.scene.clone())])],
        is_there_twice,
    ),
    case(
        "merge",
        "merge",
        |source, _| {
            let rest = part(source, "drop", &json!({"names": first(source)}));
            vec![("select", json!({"names": first(source)}), Vec::new()), ("merge", json!({}), vec![rest])]
        },
        |trial| trial.plays(&[Piece::later(0.0, trial.span.end, 0.0)]),
    ),
    case(
        "shift",
        "shift",
        |_, span| one("shift", json!({"by": span.time(span.start)})),
        |trial| {
            let Span { start, end, .. } = trial.span;
            trial.ends_at(end + start)?;
            trial.plays(&[Piece::later(start, end + start, -start)])
        },
    ),
    case(
        "shift there and back",
        "shift",
        |_, span| {
            twice("shift", [json!({"by": span.time(span.start)}), json!({"by": span.time(-span.start)})])
        },
        undone,
    ),
    case(
        "retime --speed 0.5",
        "retime",
        |_, _| one("retime", json!({"speed": 0.5})),
        |trial| is_faster(trial, 0.5),
    ),
    case(
        "retime --speed 0.8",
        "retime",
        |_, _| one("retime", json!({"speed": 0.8})),
        |trial| {
            let scaled = trial.span.end / 0.8;
            let end = trial.clip().end().0;
            expect((end - scaled).abs() <= trial.span.frame(), || {
                format!("expected an end at {scaled} s, found {end} s")
            })?;
            trial.plays(&[Piece { start: 0.0, end: scaled.min(end), speed: 0.8, offset: 0.0 }])
        },
    ),
    case(
        "retime --curve",
        "retime",
        |_, span| {
            one(
                "retime",
                json!({"curve": [[0, 0], [span.start, 2.0 * span.start], [span.end, span.start + span.end]]}),
            )
        },
        |trial| {
            let Span { start, end, .. } = trial.span;
            trial.ends_at(start + end)?;
            let slow = Piece { start: 0.0, end: 2.0 * start, speed: 0.5, offset: 0.0 };
            trial.plays(&[slow, Piece::later(2.0 * start, start + end, -start)])
        },
    ),
    case(
        "retime by a half and by two",
        "retime",
        |_, _| twice("retime", [json!({"speed": 0.5}), json!({"speed": 2})]),
        undone,
    ),
    case(
        "reverse",
        "reverse",
        |_, _| one("reverse", json!({})),
        |trial| {
            let end = trial.span.end;
            trial.ends_at(end)?;
            // What switches at a frame holds until there; backwards it holds from there.
            let on_frames = Trial { frames: trial.span.grid.filter(|_| trial.has_frames()), ..*trial };
            on_frames.plays(&[Piece { start: 0.0, end, speed: -1.0, offset: end }])
        },
    ),
    case("reverse twice", "reverse", |_, _| twice("reverse", [json!({}), json!({})]), undone),
    case("mirror twice", "mirror", |_, _| twice("mirror", [json!({}), json!({})]), undone),
    case(
        "loop",
        "loop",
        |_, span| one("loop", json!({"over": 0.4 * span.end})),
        |trial| {
            let Span { end, .. } = trial.span;
            trial.ends_at(end)?;
            trial.plays(&[Piece::later(0.0, 0.58 * end, 0.0)])?;
            let open = between([&trial.source.scene, trial.scene], 0.0, end);
            expect(open.0.iter().all(|(value, _)| *value <= 4e-6), || {
                format!("expected the values of the start at the end, found {open:?}")
            })
        },
    ),
    case(
        "keys move",
        "keys move",
        |source, span| {
            let by = span.time(span.step());
            one(
                "keys move",
                json!({"range": span.range(span.start, span.start), "by": by, "names": first(source)}),
            )
        },
        |trial| {
            let (start, by) = (trial.span.start, trial.span.step());
            let [before, after] = [counts(trial, start, start)[0], counts(trial, start + by, start + by)[1]];
            expect(after >= before, || format!("expected {before} keys at {} s, found {after}", start + by))?;
            only_keys_change(trial, start, start + by)
        },
    ),
    case(
        "keys insert",
        "keys insert",
        |_, span| one("keys insert", json!({"at": span.time(span.stop)})),
        |trial| {
            let stop = trial.span.stop;
            let has = |clip: &Clip| {
                curves(clip).flat_map(|curve| curve.times.iter()).any(|time| (time.0 - stop).abs() < 1e-5)
            };
            let runs = |curve: &Curve| {
                curve.times.span().is_some_and(|(first, last)| first.0 < stop && stop < last.0)
            };
            let is_meant = trial.source.scene.clips.iter().take(1).flat_map(curves).any(runs);
            expect(!is_meant || has(&trial.clip()), || format!("expected a key at {stop} s, found none"))?;
            stays(trial)
        },
    ),
    case(
        "keys delete",
        "keys delete",
        |source, span| {
            one("keys delete", json!({"range": span.range(span.start, span.start), "names": first(source)}))
        },
        |trial| {
            let start = trial.span.start;
            let [_, after] = counts(trial, start, start);
            expect(after == 0 || !trial.has_keys_of_its_own(), || {
                format!("expected no keys at {start} s, found {after}")
            })?;
            only_keys_change(trial, start, start)
        },
    ),
    case(
        "keys copy",
        "keys copy",
        |source, span| {
            let (from, to) = (span.range(span.start, span.start), span.time(span.stop));
            one("keys copy", json!({"range": from, "to": to, "names": first(source)}))
        },
        |trial| {
            let Span { start, stop, .. } = trial.span;
            let [before, after] = [counts(trial, start, start)[0], counts(trial, stop, stop)[1]];
            expect(after >= before, || format!("expected {before} keys at {stop} s, found {after}"))?;
            only_keys_change(trial, stop, stop)
        },
    ),
    case(
        "keys scale",
        "keys scale",
        |source, span| {
            one(
                "keys scale",
                json!({"range": span.range(span.start, span.stop), "factor": 0.5, "names": first(source), "snap": true}),
            )
        },
        |trial| only_keys_change(trial, trial.span.start, trial.span.stop),
    ),
    case(
        "keys law",
        "keys law",
        |source, span| {
            one(
                "keys law",
                json!({"range": span.range(span.start, span.start), "law": "step", "names": first(source)}),
            )
        },
        |trial| only_keys_change(trial, trial.span.start, trial.span.start),
    ),
    case(
        "markers add",
        "markers add",
        |_, span| one("markers add", json!({"at": span.time(span.start), "name": "here"})),
        |trial| {
            let markers = trial.clip().markers;
            let has = markers
                .iter()
                .any(|marker| marker.name == "here" && (marker.time.0 - trial.span.start).abs() < 1e-5);
            expect(has, || format!("expected a marker at {} s, found {markers:?}", trial.span.start))?;
            stays(trial)
        },
    ),
    case(
        "markers move",
        "markers move",
        |_, span| one("markers move", json!({"marker": "step", "to": span.time(span.start)})),
        |trial| {
            let markers = trial.clip().markers;
            let has = markers
                .iter()
                .any(|marker| marker.name == "step" && (marker.time.0 - trial.span.start).abs() < 1e-5);
            expect(has, || format!("expected a marker at {} s, found {markers:?}", trial.span.start))?;
            stays(trial)
        },
    ),
    case(
        "markers remove",
        "markers remove",
        |_, _| one("markers remove", json!({"marker": "step"})),
        |trial| {
            let markers = trial.clip().markers;
            expect(markers.iter().all(|marker| marker.name != "step"), || {
                format!("expected none, found {markers:?}")
            })?;
            stays(trial)
        },
    ),
    case(
        "resample",
        "resample",
        |_, _| one("resample", json!({"fps": 60})),
        |trial| {
            let end = trial.clip().end().0;
            expect((end - trial.span.end).abs() < 1.0 / 60.0, || {
                format!("expected an end at {} s, found {end} s", trial.span.end)
            })?;
            trial.plays(&[Piece::later(0.0, end.min(trial.span.end), 0.0)])
        },
    ),
    case(
        "reduce",
        "reduce",
        |_, _| one("reduce", json!({"tolerance": "1mm"})),
        |trial| {
            let told = told(trial.report)[0];
            expect(told <= 1.001e-3, || format!("expected an error within 1 mm, found {told} m"))?;
            stays(trial)
        },
    ),
    case(
        "move",
        "move",
        |_, _| one("move", json!({"by": "1m,0,0"})),
        |trial| trial.is_moved([1.0, 0.0, 0.0]),
    ),
    case(
        "smooth",
        "smooth",
        |_, _| one("smooth", json!({})),
        |trial| {
            trial.ends_at(trial.span.end)?;
            let before = trial.source.scene.clips.first().cloned().unwrap_or_default();
            // Not every format has keys before 0.
            let from_start = |clip: Clip| times(&clip).into_iter().filter(|time| *time >= 0.0).collect();
            let [old, new]: [Vec<f64>; 2] = [before, trial.clip()].map(from_start);
            // A curve that repeats or starts before 0 gets further keys.
            let is_there = |time: &f64| new.iter().any(|new| (time - new).abs() < 1e-5);
            let is_as_long = old.len() == new.len() || trial.source.is_seeded;
            let is_kept = is_as_long && old.iter().all(is_there);
            expect(is_kept, || format!("expected keys at {old:?}, found them at {new:?}"))
        },
    ),
    case("rename there and back", "rename", |source, _| twice("rename", renamed(source)), undone),
    case(
        "rename one",
        "rename",
        |source, _| {
            one("rename", json!({"names": {names(source).first().map_or("nobody", String::as_str): "New"}}))
        },
        |trial| {
            let old = names(trial.source).into_iter().next().unwrap_or_default();
            trial.plays_within(&[Piece::later(0.0, trial.span.end, 0.0)], Targets::But(&old), [0.0; 3])
        },
    ),
    case(
        "select",
        "select",
        |source, _| one("select", json!({"names": first(source)})),
        |trial| {
            let name = names(trial.source).into_iter().next().unwrap_or_default();
            let clip = trial.clip();
            let other = clip.tracks.iter().find(|track| track.target.name != name && trial.has_moving(track));
            expect(other.is_none(), || {
                format!("expected only {name} to move, found {:?}", other.map(|track| &track.target.name))
            })
        },
    ),
    case(
        "drop",
        "drop",
        |source, _| one("drop", json!({"names": first(source)})),
        |trial| {
            let name = names(trial.source).into_iter().next().unwrap_or_default();
            let clip = trial.clip();
            let mut tracks = clip.tracks.iter().filter(|track| track.target.name == name);
            expect(!tracks.any(|track| trial.has_moving(track)), || format!("expected no {name} that moves"))
        },
    ),
    case(
        "set",
        "set",
        |_, _| one("set", json!({"name": "dance"})),
        |trial| {
            let name = trial.clip().name;
            expect(name.as_deref() == Some("dance"), || {
                format!("expected the name \"dance\", found {name:?}")
            })?;
            stays(trial)
        },
    ),
];
