//! Work of playing takes: bounded by the length of the file, however often the file refers to a curve.

use crate::fbx::chain::{self, Chain, assemble, joint, moves, on};
use crate::fbx::records::{self, Record};
use crate::fbx::to_scene::scene;
use dopesheet_core::diag::{ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_core::model::Clip;
use dopesheet_fbx::{Fbx, fbx::Document};

/// Keys on the frames of a film, whose values jump about or stay.
fn keys(count: u32, is_still: bool) -> Vec<(f64, f64)> {
    let value = |at: u32| if is_still { 5.0 } else { f64::from(at.wrapping_mul(2_654_435_761) >> 20) / 50.0 };
    (0..count).map(|at| (f64::from(at) / 30.0, value(at))).collect()
}

/// So many takes and joints, all moved by a single curve, in as many layers of each take.
fn shared(curve: Record, [takes, layers, joints]: [i64; 3]) -> Vec<u8> {
    let mut objects = vec![curve, chain::curves(21, "R", [0.0; 3])];
    let mut connections = vec![moves(20, 21, "d|X")];
    for take in 0..takes {
        let stack = 100_000 + 10 * take;
        objects.push(chain::take(stack, "Walk", 0));
        for layer in stack + 1..=stack + layers {
            objects.push(chain::layer(layer, "Layer", 0));
            connections.extend([on(layer, stack), on(21, layer)]);
        }
    }
    for id in 1000..1000 + joints {
        objects.push(joint(id, "Arm", Vec::new()));
        connections.extend([on(id, 0), moves(21, id, "Lcl Rotation")]);
    }
    records::binary(&assemble(&Chain::default(), objects, connections))
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    Fbx::read(&Source::new(bytes), &ReadOptions::default(), &mut Report::default())
}

#[test]
fn a_curve_shared_by_many_nodes_is_refused_before_it_is_played() {
    for [takes, layers, joints] in [[1, 1, 100], [1, 3, 12], [100, 1, 1]] {
        let bytes = shared(chain::curve(20, &keys(400, false), chain::CUBIC), [takes, layers, joints]);
        let error = read(&bytes).unwrap_err();
        // Half a frame's worth of a key for the sample between two keys; a layer evaluates all layers.
        let limit = 16_000 + bytes.len() / 4;
        assert_eq!(error.fault.code, "fbx-work");
        let message = error.to_string();
        let count: usize = message
            .rsplit("found ")
            .next()
            .unwrap()
            .replace(" evaluations", "")
            .replace(',', "")
            .parse()
            .unwrap();
        assert!(message.starts_with("fbx: file: expected takes of at most "), "{message}");
        assert!(
            message.contains(" evaluations (keys × nodes × layers) in a file of this length, found "),
            "{message}"
        );
        let evaluations = (takes * layers * layers * joints) as usize * 400;
        assert!(count > limit && (evaluations..evaluations * 9 / 8 + 1).contains(&count), "{message}");
    }
}

#[test]
fn a_file_just_below_the_limit_of_work_is_read() {
    let of = |joints| shared(chain::curve(20, &keys(400, false), chain::CUBIC), [1, 1, joints]);
    let most = (1..100).rev().find(|joints| read(&of(*joints)).is_ok()).unwrap();
    let bytes = of(most);
    let share = 400.0 * 1.125 * (most + 1) as f64 / (16_000.0 + bytes.len() as f64 / 4.0);
    assert!((1.0..1.05).contains(&share), "{most} joints, {share}");
    assert_eq!(read(&bytes).unwrap().takes[0].motions.len(), most as usize);
}

#[test]
fn curves_that_never_change_and_long_segments_count_as_little_work() {
    let still = chain::curve(20, &keys(400, true), chain::CUBIC);
    let long = chain::curve(20, &[(0.0, 0.0), (30.0, 90.0)], chain::CUBIC);
    for curve in [still, long] {
        assert_eq!(read(&shared(curve, [1, 1, 60])).unwrap().takes[0].motions.len(), 60);
    }
}

#[test]
fn all_takes_together_get_keys_besides_those_for_each_key_of_the_file() {
    // Two layers are sampled; nothing that is tried brings a curve this wild within the tolerance.
    let wild: Vec<(f64, f64)> = (0..20).map(|at| (f64::from(at) / 5.0, f64::from(at % 2) * 1e6)).collect();
    let (scene, _) = scene(&shared(chain::curve(20, &wild, chain::LINEAR), [40, 2, 1]));
    let keys: usize = scene.clips.iter().map(Clip::key_count).sum();
    assert!(keys < 40 * 33 * 140 + 100_000, "{keys}");
}
