//! Feet that stand, on our own samples, and what edits do with them.

use dopesheet::core::model::{HumanBone as B, Scene};
use dopesheet::edit::{Filter, Kept, Length, Move, Operation, Smooth, Way};
use dopesheet::formats::bvh::bvh::Document as Bvh;
use dopesheet::formats::mmd::vmd::Document as Vmd;
use dopesheet::human::{ContactLimits, Contacts, contacts, doubts, propose};
use dopesheet::motion::bind::bind;
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::{ClipChoice, Loss, NameMap, Opened, ReadOptions, Report, Seconds, WriteOptions};
use dopesheet_testkit::{bytes, workspace};

fn sample(name: &str) -> Opened {
    let path = workspace().join("samples").join(name);
    dopesheet::read(name, &bytes(&path), &ReadOptions::default(), &mut |_| None).unwrap()
}

fn edited(file: &Opened, operation: Operation) -> Opened {
    dopesheet::edit(file.clone(), &[operation], &ClipChoice::All).unwrap()
}

fn written(file: &Opened) -> Vec<u8> {
    file.format().write(&file.document, &WriteOptions::default()).unwrap().main
}

fn found(scene: &Scene) -> Contacts {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    contacts(scene, &humanoid, &scene.clips[0], &ContactLimits::default()).expect("legs")
}

fn frames(contacts: &Contacts, bone: B) -> Vec<[i64; 2]> {
    contacts
        .of(bone)
        .map(|stand| [stand.start, stand.end].map(|time| (time.0 * 30.0).round() as i64))
        .collect()
}

/// True if stands begin and end within some frames of where they are known to.
fn are_near(found: &[[i64; 2]], known: &[[i64; 2]], slack: i64) -> bool {
    found.len() == known.len()
        && found
            .iter()
            .flatten()
            .zip(known.iter().flatten())
            .all(|(found, known)| (found - known).abs() <= slack)
}

#[test]
fn a_jump_has_a_stand_before_and_one_behind_it() {
    let contacts = found(&sample("jump.bvh").scene().unwrap());
    // Frames at which the feet leave the ground and are back, of 76.
    for ankle in [B::LeftFoot, B::RightFoot] {
        let found = frames(&contacts, ankle);
        assert!(are_near(&found, &[[0, 30], [45, 75]], 1), "{found:?}");
    }
    for hand in [B::LeftHand, B::RightHand] {
        assert_eq!(frames(&contacts, hand), [[0; 2]; 0]);
    }
}

/// Our jump with its axes renamed `times` over: Z is up after once, X after twice.
fn jump_with_other_axes(times: usize) -> Opened {
    let text = String::from_utf8(bytes(&workspace().join("samples/jump.bvh"))).unwrap();
    let turned = |line: &str| {
        let Some(offset) = line.trim_start().strip_prefix("OFFSET ") else {
            let next = ["X", "Y", "Z"].map(|axis| ["X", "Y", "Z"][("XYZ".find(axis).unwrap() + times) % 3]);
            let words = line.split(' ').map(|word| match word.split_at_checked(1) {
                Some((axis, kind @ ("position" | "rotation"))) => {
                    format!("{}{kind}", next["XYZ".find(axis).unwrap()])
                }
                _ => word.to_owned(),
            });
            return words.collect::<Vec<_>>().join(" ");
        };
        let mut offset: Vec<&str> = offset.split_whitespace().collect();
        offset.rotate_right(times);
        format!("OFFSET {}", offset.join(" "))
    };
    let text: Vec<String> = text.lines().map(turned).collect();
    let bytes = (text.join("\n") + "\n").into_bytes();
    dopesheet::read("jump.bvh", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

#[test]
fn a_jump_whose_file_has_another_axis_up_stands_all_the_same() {
    let plain = found(&jump_with_other_axes(0).scene().unwrap());
    assert_eq!(plain.stands, found(&sample("jump.bvh").scene().unwrap()).stands);
    for (times, up) in [(1, glam::DVec3::Z), (2, glam::DVec3::X)] {
        let jump = jump_with_other_axes(times);
        let scene = jump.scene().unwrap();
        let own = found(&scene);
        assert_eq!((own.up, &own.stands), (up, &plain.stands));
        assert_eq!(doubts(&scene, &propose(&scene, &NameMap::default()).humanoid), [""; 0]);
        // Feet come to the ground along the figure's own way up.
        let up = Way([0, 1, 2].map(|axis| Length::Metres(if up[axis] == 1.0 { 0.3 } else { 0.0 })));
        let raised = edited(&jump, Operation::Move(Move { by: up, ..Move::default() }));
        let down = edited(&raised, Operation::Move(Move { grounds: true, ..Move::default() }));
        let hips = |file: &Opened| {
            let scene = file.scene().unwrap();
            model_pose(&scene, &local_pose(&scene, &scene.clips[0], Seconds(1.0))).0[0].translation
        };
        assert!(hips(&down).distance(hips(&jump)) < 1e-2, "{} {}", hips(&down), hips(&jump));
    }
}

#[test]
fn a_walk_on_the_puppet_stands_between_its_steps() {
    let motion = sample("walk.vmd").scene().unwrap();
    let model = dopesheet::puppet::standard_model().unwrap().scene().unwrap();
    let scene = bind(motion, model, &NameMap::default(), &mut Report::default());
    let contacts = found(&scene);
    // A foot is flat from three frames after it touches down until four before it takes off; the first step touches down at frame 18, each
    // other one 15 later, after a flight of 11.
    let flat = |steps: [i64; 4], last: usize| {
        let downs = steps.iter().take(last).map(|step| 18 + 15 * step);
        let mut known = vec![[0, 18 + 15 * steps[0] - 11]];
        for (at, down) in downs.enumerate() {
            let next = steps.get(at + 1).filter(|_| at + 1 < last).map(|step| 18 + 15 * step - 11);
            known.push([down, next.unwrap_or(132)]);
        }
        known
    };
    for (ankle, known) in [(B::LeftFoot, flat([0, 2, 4, 6], 4)), (B::RightFoot, flat([1, 3, 5, 0], 3))] {
        let found = frames(&contacts, ankle);
        assert!(are_near(&found, &known, 5), "{ankle:?}: {found:?}, expected {known:?}");
    }
}

/// The mean distance of standing ankles from where they were before.
fn slide(scene: &Scene, before: &Scene, contacts: &Contacts) -> f64 {
    let place = |scene: &Scene, time: Seconds, node: usize| {
        model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0[node].translation
    };
    let stands = contacts.stands.iter().filter(|stand| [B::LeftFoot, B::RightFoot].contains(&stand.bone));
    let slides = stands.flat_map(|stand| {
        let frames = (stand.start.0 * 30.0).round() as i64..=(stand.end.0 * 30.0).round() as i64;
        frames.map(move |frame| {
            let time = Seconds(frame as f64 * 0.033333);
            place(scene, time, stand.node.0).distance(place(before, time, stand.node.0))
        })
    });
    let all: Vec<f64> = slides.collect();
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn a_smoothed_jump_has_no_jitter_and_its_feet_stand() {
    let clean = sample("jump.bvh");
    let mut shaken = clean.clone();
    let document = shaken.document_mut::<Bvh>().expect("BVH");
    // The hips of a capture whose markers tremble by 4 mm, and turn by half a degree.
    let motion = document.motion_mut();
    let width = motion.width();
    for (frame, row) in motion.values.chunks_exact_mut(width).enumerate() {
        let sign = if frame % 2 == 0 { 1.0 } else { -1.0 };
        for (column, by) in [0.4, 0.1, -0.4, 0.5].into_iter().enumerate() {
            row[column] += by * sign;
        }
    }
    let on = Kept::default();
    let filter = Filter::ZeroPhase { cutoff_hz: 5.0 };
    let smooth = Smooth { on, filter, lets_feet_slide: false };
    let held = edited(&shaken, Operation::Smooth(smooth.clone()));
    let slid = edited(&shaken, Operation::Smooth(Smooth { lets_feet_slide: true, ..smooth }));
    let said = held.report.losses.iter().any(|loss| {
        matches!(loss, Loss::Approximated { what, max_error, .. }
            if what.starts_with("feet held where they stand") && max_error.value < 0.03)
    });
    assert!(said, "{:?}", held.report.losses);
    let [clean, held, slid] = [&clean, &held, &slid].map(|file| file.scene().unwrap());
    let contacts = found(&clean);
    let (with, without) = (slide(&held, &clean, &contacts), slide(&slid, &clean, &contacts));
    // In the file's centimetres. At take-off the legs are straight, and reach no further.
    assert!(with < 0.2 && with < 0.7 * without, "{with} {without}");
}

#[test]
fn a_dancer_is_moved_by_two_keys_and_all_others_stay() {
    let walk = sample("walk.vmd");
    let by = Way([Length::Metres(0.8), Length::Units(0.0), Length::Metres(-1.6)]);
    let moved = edited(&walk, Operation::Move(Move { by, turn_deg: 90.0, ..Move::default() }));
    let keys = |file: &Opened| file.document.get::<Vmd>().expect("VMD").bones.clone();
    let (old, new) = (keys(&walk), keys(&moved));
    assert_eq!(new.len(), old.len() + 1);
    let added: Vec<_> = new.iter().filter(|key| !old.contains(key)).collect();
    let [carrier] = added.as_slice() else { panic!("{added:?}") };
    assert_eq!(carrier.translation, [10.0, 0.0, -20.0]);
    assert!((carrier.rotation[1].abs() - 0.5f32.sqrt()).abs() < 1e-6, "{carrier:?}");
    // It is a file as any other.
    let again =
        dopesheet::read("moved.vmd", &written(&moved), &ReadOptions::default(), &mut |_| None).unwrap();
    assert_eq!(keys(&again), new);
}

#[test]
fn a_jump_in_the_air_comes_back_to_the_ground() {
    let jump = sample("jump.bvh");
    let up = Way([Length::Units(0.0), Length::Metres(0.3), Length::Units(0.0)]);
    let raised = edited(&jump, Operation::Move(Move { by: up, ..Move::default() }));
    let down = edited(&raised, Operation::Move(Move { grounds: true, ..Move::default() }));
    let [jump, raised, down] = [&jump, &raised, &down].map(|file| file.scene().unwrap());
    let hips = |scene: &Scene| {
        model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(1.0))).0[0].translation.y
    };
    assert!((hips(&raised) - hips(&jump) - 30.0).abs() < 1e-3, "{} {}", hips(&raised), hips(&jump));
    assert!((hips(&down) - hips(&jump)).abs() < 1e-2, "{} {}", hips(&down), hips(&jump));
}
