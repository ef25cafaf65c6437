//! Errors that edits state, and chains of operations beside calls of their own.

use crate::edit::formats::{edited, opened, shift, speed, trim, written};
use dopesheet::core::diag::{ErrorUnit, Loss};
use dopesheet::core::times::{RangeSpec, TimeValue};
use dopesheet::core::units::Seconds;
use dopesheet::edit::{
    Concat, Delete, EditOptions, Filter, Kept, Loop, Mirror, Move, Operation, Reduce, Repeat, Resample,
    Shift, Smooth,
};
use dopesheet::motion::compare::{Course, Stretch, compare_along};
use dopesheet::motion::{Animation, Tolerance};
use dopesheet::{ConvertOptions, DiffOptions, Error, FrameRate, Opened, diff};
use dopesheet_testkit::{bytes, workspace};
use std::sync::Arc;

fn sample(name: &str) -> Opened {
    let path = workspace().join("samples").join(name);
    opened(&path, &bytes(&path)).unwrap()
}

/// A file of a conversion.
fn converted(file: &Opened, id: &str) -> Opened {
    let to = dopesheet::registry::by_extension(id).unwrap();
    let made = dopesheet::convert(std::slice::from_ref(file), &ConvertOptions::to(to)).unwrap();
    opened(format!("made.{id}").as_ref(), &made.output.main).unwrap()
}

/// The file as it is read again.
fn read_back(file: &Opened) -> Opened {
    opened(file.name.as_ref(), &written(file)).unwrap()
}

/// The error in metres that an edit states.
fn stated(file: &Opened) -> f64 {
    let metres = file.report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { max_error, .. } if max_error.unit == ErrorUnit::Metre => Some(max_error.value),
        _ => None,
    });
    metres.fold(0.0, f64::max)
}

fn differs(a: &Opened, b: &Opened) -> f64 {
    let found = diff(a, b, &DiffOptions::default()).unwrap().comparison;
    found.farthest.map_or(0.0, |most| most.difference.value)
}

fn keys(file: &Opened) -> usize {
    let scene = dopesheet::edit::scene(file).unwrap();
    let channels = scene.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| &track.channels);
    channels.flat_map(|channel| channel.composition.curves()).map(|curve| curve.len()).sum()
}

fn reduce(millimetres: f64, editable: bool) -> Operation {
    let tolerance = Tolerance { length_m: millimetres / 1000.0, ..Tolerance::DEFAULT };
    Operation::Reduce(Reduce { tolerance, editable })
}

fn resample(fps: f64) -> Operation {
    Operation::Resample(Resample { rate: FrameRate::from_fps(fps).unwrap() })
}

fn delete(range: &str) -> Operation {
    Operation::Delete(Delete { range: RangeSpec::parse(range).unwrap(), snap: true })
}

#[test]
fn reduce_keeps_its_tolerance_in_model_space_and_states_what_diff_finds() {
    let jump = converted(&edited(&sample("jump.bvh"), &[trim("0:2")]), "glb");
    let walk = converted(&sample("walk.vmd"), "glb");
    for (file, millimetres) in [(&jump, 1.0), (&jump, 10.0), (&walk, 1.0)] {
        let fewer = edited(file, &[reduce(millimetres, false)]);
        let off = differs(file, &read_back(&fewer));
        assert!(off * 1000.0 <= millimetres && off > 0.1e-3, "{off} at {millimetres} mm");
        assert!(
            (stated(&fewer) - off).abs() <= (0.01 * off).max(2e-6),
            "{} instead of {off}",
            stated(&fewer)
        );
        assert!(keys(&fewer) < keys(file));
        assert!(fewer.report.findings.iter().all(|own| own.fault.code != "tolerance-exceeded"));
    }
}

#[test]
fn reduce_to_editable_keys_keeps_its_tolerance() {
    let dense = read_back(&edited(&sample("bow.vmd"), &[resample(30.0)]));
    let few = edited(&dense, &[reduce(1.0, true)]);
    let off = differs(&dense, &read_back(&few));
    assert!(off <= 1e-3 && off > 0.1e-3, "{off}: {:?}", few.report);
    assert!((stated(&few) - off).abs() <= (0.01 * off).max(2e-6), "{} instead of {off}", stated(&few));
}

#[test]
fn an_edit_that_is_not_exact_states_its_error_at_other_times_in_model_space() {
    let jump = sample("jump.bvh");
    let bow = sample("bow.vmd");
    for (file, operation, from) in
        [(&bow, trim("31f:90f"), 31.0 / 30.0), (&bow, trim("0f:47f"), 0.0), (&jump, resample(24.0), 0.0)]
    {
        let made = edited(file, &[operation]);
        let [before, after] = [file, &read_back(&made)].map(|file| dopesheet::edit::scene(file).unwrap());
        let end = after.clips[0].end();
        let course = Course::new(vec![Stretch { start: Seconds(0.0), end, from: Seconds(from), speed: 1.0 }]);
        let [a, b] = [&before, &after].map(|scene| Animation { scene, clip: &scene.clips[0] });
        let unit = before.basis.metres_per_unit.unwrap_or(1.0);
        let limit = dopesheet::motion::conform::in_units(&before, &Tolerance::DEFAULT);
        let found = compare_along(a, &course, b, &limit);
        let off = found.farthest.map_or(0.0, |most| most.difference.value) * unit;
        assert!(off > 1e-5, "{off}");
        assert!((stated(&made) - off).abs() <= (0.01 * off).max(2e-6), "{} instead of {off}", stated(&made));
    }
}

#[test]
fn a_tolerance_of_an_edit_that_is_not_kept_fails_only_where_it_was_asked_for() {
    let jump = sample("jump.bvh");
    let fails = |length: &str| {
        let options = EditOptions { tolerance: Some(length.parse().unwrap()), ..EditOptions::default() };
        dopesheet::edit(jump.clone(), &[resample(10.0)], options)
    };
    let error = fails("0.1mm").unwrap_err();
    assert!(matches!(error, Error::Forbidden { code: "tolerance-exceeded", .. }), "{error}");
    let words = ["model-space at most 0.1 mm off", "a rate above 10 fps comes nearer"];
    assert!(words.iter().all(|words| error.to_string().contains(words)), "{error}");
    assert!(fails("1m").unwrap().report.findings.is_empty());
    let made = edited(&jump, &[resample(10.0)]);
    assert!(made.report.findings.iter().any(|own| own.fault.code == "tolerance-exceeded"));
}

fn smooth() -> Operation {
    let filter = Filter::ZeroPhase { cutoff_hz: 6.0 };
    Operation::Smooth(Smooth { on: Kept::default(), filter, lets_feet_slide: true })
}

/// Samples of all formats that are edited.
fn motions() -> Vec<Opened> {
    let own = ["bow.vmd", "jump.bvh", "hands.bin", "wave.json"].map(sample);
    let made = [("jump.bvh", "glb"), ("bow.vmd", "ubi"), ("jump.bvh", "anim"), ("jump.bvh", "npz")];
    let all = own.into_iter().chain(made.map(|(name, id)| converted(&sample(name), id)));
    // Short ones, so that many operations take little.
    all.map(|file| read_back(&edited(&file, &[trim("0:1.5")]))).collect()
}

#[test]
fn values_that_no_file_holds_are_refused_in_every_format() {
    let mut refused = 0;
    for file in motions() {
        let bigger = Operation::Move(Move { scale: Some(1e300), ..Move::default() });
        match dopesheet::edit(file.clone(), &[bigger], EditOptions::default()) {
            Err(Error::Refused(error)) => {
                refused += usize::from(error.to_string().contains("values that files can hold"));
            }
            Err(error) => panic!("{}: {error}", file.name),
            Ok(made) => {
                let scene = dopesheet::edit::scene(&made).unwrap();
                let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
                let channels = tracks.flat_map(|track| &track.channels);
                let mut values =
                    channels.flat_map(|channel| channel.composition.curves()).flat_map(|own| &*own.values);
                assert!(values.all(|value| value.abs() < 1e30), "{}", file.name);
            }
        }
    }
    assert!(refused >= 5, "{refused}");
}

#[test]
fn times_that_no_file_holds_are_refused_in_every_format() {
    for file in motions() {
        let later = Operation::Shift(Shift { by: TimeValue::Seconds(1e300), snap: true });
        let error = dopesheet::edit(file.clone(), &[later], EditOptions::default()).unwrap_err();
        assert!(error.to_string().contains("shift: expected"), "{}: {error}", file.name);
    }
}

/// An operation of each kind that needs no names.
fn operations(file: &Opened) -> Vec<Operation> {
    let whole = Arc::new(dopesheet::edit::scene(file).unwrap());
    vec![
        trim("0.2:1"),
        delete("0.2:0.4"),
        Operation::Repeat(Repeat { times: 2 }),
        Operation::Concat(Concat { others: vec![whole], blend: None, snap: false }),
        shift(TimeValue::Seconds(0.2)),
        speed(0.7),
        Operation::Reverse,
        Operation::Mirror(Mirror::default()),
        Operation::Loop(Loop { over: Some(TimeValue::Seconds(0.2)), travels: false }),
        resample(24.0),
        reduce(1.0, false),
        Operation::Move(Move { scale: Some(1.5), turn_deg: 30.0, ..Move::default() }),
        smooth(),
    ]
}

const fn only_times(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Shift(_) | Operation::Retime(_) | Operation::Reverse | Operation::Mirror(_)
    )
}

#[test]
#[ignore = "costly"]
fn a_chain_of_two_operations_plays_as_two_calls() {
    let (mut same, mut refused) = (0, 0);
    for file in motions() {
        let all = operations(&file);
        for (at, first) in all.iter().enumerate() {
            // A third of the pairs, others of each first one.
            for second in all.iter().skip(at % 3).step_by(3) {
                let name = format!("{}: {}, {}", file.name, first.word(), second.word());
                let edit = |file: &Opened, chain: &[Operation]| {
                    dopesheet::edit(file.clone(), chain, EditOptions::default())
                };
                let alone = edit(&file, std::slice::from_ref(first))
                    .and_then(|once| edit(&read_back(&once), std::slice::from_ref(second)));
                let chain = edit(&file, &[first.clone(), second.clone()]);
                match (alone, chain) {
                    (Ok(alone), Ok(chain)) => {
                        let off = differs(&read_back(&alone), &read_back(&chain));
                        // Times are rounded once in a chain, and after each of two calls.
                        let rounded = if only_times(first) && only_times(second) {
                            stated(&alone)
                                + stated(&chain)
                                + stated(&edited(&file, std::slice::from_ref(first)))
                        } else {
                            0.0
                        };
                        assert!(off <= 5e-5 + rounded, "{name}: {off} {rounded}");
                        same += 1;
                    }
                    (Err(alone), Err(chain)) => {
                        assert_eq!(alone.to_string(), chain.to_string(), "{name}");
                        refused += 1;
                    }
                    (alone, chain) => panic!("{name}: {:?} {:?}", alone.err(), chain.err()),
                }
            }
        }
    }
    assert!(same > 250 && refused < same, "{same} {refused}");
}
