//! Laws that hold for whatever documents and texts there are.

use dopesheet_bvh::Bvh;
use dopesheet_bvh::bvh::{Channel, Document, Joint, JointKind, Motion};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, FromScene, ReadOptions, Source, ToScene, WriteOptions};
use proptest::collection::vec;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-400_000_000..400_000_000i32).prop_map(|n| f64::from(n) / 1e6),
        any::<f64>().prop_filter("finite", |n| n.is_finite()),
        Just(0.0),
        Just(-0.0),
    ]
}

fn channel() -> impl Strategy<Value = Channel> {
    prop_oneof![
        (0..3usize).prop_map(Channel::Position),
        (0..3usize).prop_map(Channel::Rotation),
        Just(Channel::Other("Xscale".into()))
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(""),
        Just("Hips"),
        Just("a b"),
        Just("左ひじ"),
        Just("x}y"),
        Just("Site"),
        Just("OFFSET 1")
    ]
    .prop_map(str::to_owned)
}

prop_compose! {
    /// A joint, and how many of those before it are closed first.
    fn joint()(
        kind in prop_oneof![Just(JointKind::Root), Just(JointKind::Joint), Just(JointKind::EndSite)],
        name in name(),
        offset in [number(), number(), number()],
        channels in vec(channel(), 0..7),
        closed in 0..4usize,
    ) -> (Joint, usize) {
        (Joint { kind, name, parent: None, offset, channels }, closed)
    }
}

/// Joints that hang on each other as a text can say it.
fn hung(joints: Vec<(Joint, usize)>) -> Vec<Joint> {
    let mut out: Vec<Joint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (mut joint, closed) in joints {
        open.truncate(open.len().saturating_sub(closed));
        if joint.kind == JointKind::Root || open.is_empty() {
            open.clear();
            joint.kind = JointKind::Root;
        }
        while open.last().is_some_and(|last| out[*last].kind == JointKind::EndSite) {
            open.pop();
        }
        joint.parent = open.last().copied();
        open.push(out.len());
        out.push(joint);
    }
    out
}

prop_compose! {
    fn motion()(
        joints in vec(joint(), 0..6).prop_map(hung),
        announced_frames in any::<u64>(),
        frame_time_s in prop_oneof![Just(0.033333), Just(0.0), number()],
        frames in 0..4usize,
    )(
        values in {
            let width: usize = joints.iter().map(|joint: &Joint| joint.channels.len()).sum();
            vec(number(), width * frames..=width * frames)
        },
        joints in Just(joints), announced_frames in Just(announced_frames), frame_time_s in Just(frame_time_s),
    ) -> Motion {
        Motion { joints, announced_frames, frame_time_s, values }
    }
}

fn bytes(document: &Document) -> Vec<u8> {
    Bvh::write(document, &WriteOptions::default()).unwrap().main
}

proptest! {
    #[test]
    fn a_motion_survives_its_text(motion in motion()) {
        let text = bytes(&Document::new(motion.clone()));
        let document = dopesheet_testkit::read::<Bvh>(&text);
        prop_assert_eq!(document.motion(), &motion);
        prop_assert_eq!(bytes(&document), text);
    }

    #[test]
    fn any_edit_is_found_in_the_text(before in motion(), after in motion()) {
        let mut document = dopesheet_testkit::read::<Bvh>(&bytes(&Document::new(before)));
        *document.motion_mut() = after.clone();
        let edited = dopesheet_testkit::read::<Bvh>(&bytes(&document));
        prop_assert_eq!(edited.motion(), &after);
    }

    #[test]
    fn any_edit_of_numbers_is_found_in_the_text(before in motion(), keep in 0..20usize, number in number()) {
        let mut document = dopesheet_testkit::read::<Bvh>(&bytes(&Document::new(before)));
        let width = document.motion().width();
        let motion = document.motion_mut();
        motion.values.truncate(keep * width);
        motion.values.iter_mut().step_by(3).for_each(|value| *value = number);
        let after = motion.clone();
        let edited = dopesheet_testkit::read::<Bvh>(&bytes(&document));
        prop_assert_eq!(edited.motion(), &after);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_is_written_back(
        head in any::<bool>(),
        words in vec(prop_oneof![
            Just("ROOT a"), Just("JOINT b"), Just("End Site"), Just("{"), Just("}"), Just("OFFSET 0 0 0"), Just("offset"),
            Just("CHANNELS 1 Xrotation"), Just("CHANNELS 3"), Just("MOTION"), Just("Frames: 2"), Just("Frame Time: 0.1"),
            Just("1"), Just("2 3"), Just("-4,5"), Just("nan"), Just("x"), Just("\r\n"), Just("\r"), Just(" "),
        ], 0..24),
        lenient in any::<bool>(),
    ) {
        let joints = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.04\n";
        let start = if head { joints } else { "HIERARCHY\n" };
        let text = format!("{start}{}", words.join("\n")).into_bytes();
        let mut report = Report::default();
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        if let Ok(document) = Bvh::read(&Source::new(&text), &options, &mut report) {
            prop_assert_eq!(bytes(&document), text);
            Bvh::check(&document, &mut report);
            let scene = Bvh::to_scene(&document, &ToScene::default(), &mut report).unwrap();
            for finding in &report.findings {
                let known = |c: &dopesheet_core::format::Check| c.code == finding.fault.code && c.severity == finding.severity;
                prop_assert!(Bvh::INFO.checks.iter().any(known), "{}", finding);
            }
            for curve in scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels).flat_map(|c| c.composition.curves()) {
                prop_assert_eq!(curve.validate(), Ok(()));
            }
            let _ = Bvh::from_scene(&scene, &FromScene::default(), &mut report);
        }
    }

    /// A scene made from a file survives the file that is made from it, within the decimals that are written.
    #[test]
    fn a_scene_survives_a_document(motion in motion()) {
        let scene = |document: &Document| Bvh::to_scene(document, &ToScene::default(), &mut Report::default()).unwrap();
        let before = scene(&Document::new(motion));
        let mut report = Report::default();
        if let Ok(made) = Bvh::from_scene(&before, &FromScene::default(), &mut report) {
            let text = bytes(&made);
            let read_back = dopesheet_testkit::read::<Bvh>(&text);
            prop_assert_eq!(read_back.motion(), made.motion());
            let after = scene(&made);
            let joints = |scene: &dopesheet_core::model::Scene| scene.nodes.iter().filter(|n| !n.name.ends_with("_end")).count();
            let told = report.losses.iter().filter_map(|loss| {
                let text = loss.to_string();
                let is_left_out = text.contains(" the root that stand");
                text.split(' ').nth(1).filter(|_| is_left_out)?.parse::<usize>().ok()
            });
            prop_assert!(joints(&after) + told.sum::<usize>() >= joints(&before));
            let span = |scene: &dopesheet_core::model::Scene| scene.clips.first().map(|clip| clip.duration.0);
            if let (Some(a), Some(b)) = (span(&before), span(&after)) {
                prop_assert!((a - b).abs() <= 1e-4 * a.max(1.0), "{} and {}", a, b);
            }
        }
    }
}
