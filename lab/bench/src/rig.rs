//! Whole dances on their rigs, sampled and solved, beside the crate `mmd-anim`.

use crate::measure::{Row, side_by_side};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, NameMap, ReadOptions, Source, ToScene};
use dopesheet_core::model::Scene;
use dopesheet_core::units::Seconds;
use dopesheet_mmd::{Pmx, Vmd};
use dopesheet_motion::sample::rig::{Behaviour, Player};
use dopesheet_motion::{Side, bind};
use mmd_anim::format::{build_mmd_registered_pair_clip, import_pmx_runtime, import_vmd_motion};
use mmd_anim::runtime::{AnimationClip, RuntimeInstance};
use std::path::Path;
use std::sync::Arc;

/// Models and the motions that they dance.
const DANCES: [(&str, &str); 3] =
    [("yw_test_model", "mmd_tools_test"), ("miku_animasa", "kishimen"), ("miku_animasa", "walk")];

/// MikuMikuDance's frames.
const FPS: f64 = 30.0;

/// Each dance from its first frame to its last, in time per frame; none without the corpus.
pub(crate) fn rows() -> Vec<Row> {
    let Some(corpus) = dopesheet_testkit::corpus("mmd") else { return Vec::new() };
    DANCES.iter().map(|(model, motion)| row(&corpus, model, motion)).collect()
}

fn row(corpus: &Path, model: &str, motion: &str) -> Row {
    let [pmx, vmd] = [format!("pmx/{model}.pmx"), format!("vmd/{motion}.vmd")]
        .map(|name| dopesheet_testkit::bytes(&corpus.join(name)));
    let (mut peer, clip) = peer(&pmx, &vmd);
    let frames = clip.frame_range().map_or(1, |(_, last)| last + 1);
    let bound = bind(scene::<Vmd>(&vmd), scene::<Pmx>(&pmx), &NameMap::default(), &mut Report::default());
    let mut player = Player::new(&bound, &bound.clips[0], Behaviour::Mmd).unwrap_or_else(|e| panic!("{e}"));
    let ours = || {
        let mut sum = 0.0;
        for frame in 0..frames {
            let pose = player.pose_at(Seconds(f64::from(frame) / FPS), Side::At);
            sum += pose.model.last().map_or(0.0, |last| last.translation[0]);
        }
        sum
    };
    let theirs = || {
        let mut sum = 0.0;
        for frame in 0..frames {
            peer.evaluate_clip_frame(&clip, frame as f32);
            sum += peer.pose().world_matrices().last().map_or(0.0, |last| f64::from(last.w_axis.x));
        }
        sum
    };
    let (ours_s, peer_s) = side_by_side(ours, theirs);
    Row {
        what: "a frame of a dance: keys, bones, append, IK, matrices, morphs".into(),
        data: format!("{model} + {motion}, frames 0–{}", frames - 1),
        bytes: 0,
        ours_s: ours_s / f64::from(frames),
        peer: Some(("mmd-anim evaluate_clip_frame".into(), peer_s / f64::from(frames))),
        wanted: "≥ 2".into(),
    }
}

fn scene<F: Format>(bytes: &[u8]) -> Scene {
    let mut report = Report::default();
    let document = F::read(&Source::new(bytes), &ReadOptions::default(), &mut report);
    let document = document.unwrap_or_else(|e| panic!("{e}"));
    F::to_scene(&document, &ToScene::default(), &mut report).unwrap_or_else(|e| panic!("{e}"))
}

fn peer(pmx: &[u8], vmd: &[u8]) -> (RuntimeInstance, AnimationClip) {
    let import = import_pmx_runtime(pmx).unwrap_or_else(|e| panic!("{e:?}"));
    let motion = import_vmd_motion(vmd).unwrap_or_else(|e| panic!("{e:?}"));
    let model = import.model;
    let clip = build_mmd_registered_pair_clip(
        &model,
        &motion,
        &import.bone_name_to_index,
        &import.morph_name_to_index,
        &import.ik_solver_bone_name_to_index,
        model.ik_count(),
    );
    let clip = clip.unwrap_or_else(|e| panic!("{e:?}"));
    let (morphs, chains) = (model.morph_count() as usize, model.ik_count());
    (RuntimeInstance::new_with_counts(Arc::new(model), morphs, chains), clip)
}
