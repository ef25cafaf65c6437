//! door.m4b: a heavy door of a cellar as the game's archives would hold it: an actor, what it does, and how that is
//! played. Z is up, as in 3ds Max; the door turns about it.

use dopesheet::core::diag::WriteError;
use dopesheet::core::format::{Format as _, WriteOptions};
use dopesheet_curve::{
    Tcb as Dials, TcbKey, TcbRotationKey, Turn as Whole, squad_control, tcb_controls, tcb_slopes,
};
use dopesheet_more::More;
use dopesheet_more::m4b::Document as Archive;
use dopesheet_more::more::actor::{ActorModel, Bone, BoneScale, EventEmitter, MeshChannel};
use dopesheet_more::more::animation::{
    Animation, Bezier, Body, Event, Instant, KeyLaw, Keys, Shape, Tcb, TcbSettings, Times, Track, TrackType,
    Turn, Values,
};
use dopesheet_more::more::clip::{Clip, ClipContent, SubResource, Transition};
use dopesheet_more::more::{Document, Resource};
use dopesheet_more::text::Name;
use glam::{DQuat, DVec3};

/// In seconds, before the clip slows it down.
const END: f64 = 4.0;
/// The newest version in which the bones of an actor are documented.
const ACTOR_VERSION: u32 = 0x7;

/// The archive's bytes.
pub(super) fn bytes() -> Result<Vec<u8>, WriteError> {
    let files = [
        (
            "actors/door.ubi",
            written(Document { version: ACTOR_VERSION, ..Document::new(Resource::Actor(actor())) })?,
        ),
        ("anims/door/open.ubi", written(Document::new(Resource::Animation(animation())))?),
        ("anims/door/open_slowly.ubi", written(Document::new(Resource::Clip(clip())))?),
    ];
    Archive::pack(files.iter().map(|(path, bytes)| (*path, bytes.as_slice())))?.to_bytes()
}

fn written(document: Document) -> Result<Vec<u8>, WriteError> {
    More::write(&document, &WriteOptions::default()).map(|output| output.main)
}

/// Name, father and place of each bone: metres, the door closes the opening from −0.5 to 0.5 along X.
const BONES: [(&str, i16, [f32; 3]); 4] = [
    ("Frame", -1, [0.0, 0.0, 0.0]),
    ("Hinge", 0, [-0.5, 0.0, 0.0]),
    ("Ring", 1, [0.88, -0.06, 1.1]),
    ("Bolt", 1, [0.94, 0.0, 1.1]),
];

fn actor() -> ActorModel {
    let bone = |&(name, father, position): &(&str, i16, [f32; 3])| Bone {
        name: name.into(),
        position_name: Name::new(&format!("{name}.Position")),
        rotation_name: Name::new(&format!("{name}.Rotation")),
        father,
        position,
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: BoneScale::Named {
            value_name: Name::default(),
            orientation_name: Name::default(),
            use_scale: false,
            value: [1.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
        },
    };
    let squeak = EventEmitter {
        name: "squeak".into(),
        position_name: Name::default(),
        rotation_name: Name::default(),
        father: 1,
        position: [0.0, 0.0, 1.7],
        rotation: [0.0, 0.0, 0.0, 1.0],
        bounds: Some([[-0.1; 3], [0.1; 3]]),
        event_track_names: vec!["Sounds".into()],
    };
    let leaf = MeshChannel {
        name: "leaf".into(),
        bone_ids: vec![1],
        graphic_object_ids: vec![0],
        ..MeshChannel::default()
    };
    ActorModel {
        bones: BONES.iter().map(bone).collect(),
        event_emitters: vec![squeak],
        channels: vec![leaf],
        graphic_object_names: vec!["door_leaf".into()],
        ..ActorModel::default()
    }
}

/// Somebody turns the ring, leans on the door, and it swings back a little at its stop.
fn animation() -> Animation {
    let event = |time, value, user_data: &str| Event { time, value, user_data: user_data.into() };
    let sounds =
        vec![event(0.45, 1, "bolt"), event(0.9, 2, "squeak"), event(2.1, 2, "squeak"), event(2.9, 3, "thud")];
    let sounds = Track { track_type: TrackType::EVENT, name: "Sounds".into(), body: Body::Events(sounds) };
    Animation {
        duration: END as f32,
        tracks: vec![hinge(), ring(), bolt(), dust(), sounds],
        instants: vec![Instant { time: 0.5, id: 1 }, Instant { time: 2.9, id: 2 }],
        ..Animation::default()
    }
}

fn track(law: KeyLaw, name: &str, times: &[f64], values: Values, shape: Shape) -> Track {
    let track_type = TrackType::of(law, values.stored()).unwrap_or(TrackType::EVENT);
    let times = Times::Seconds(times.iter().map(|t| *t as f32).collect());
    let keys = Keys { terminate: true, times, values, shape };
    Track { track_type, name: name.into(), body: Body::Keys(Box::new(keys)) }
}

fn narrow<const N: usize>(value: [f64; N]) -> [f32; N] {
    value.map(|x| x as f32)
}

/// Time, angle in degrees, tension, and how it leaves and arrives (ease).
const SWING: [(f64, f64, f64, [f64; 2]); 6] = [
    (0.0, 0.0, 0.0, [0.0, 0.0]),
    (0.6, 0.0, 1.0, [0.4, 0.0]),
    (1.6, 31.0, 0.0, [0.0, 0.0]),
    (2.9, 104.0, -0.2, [0.0, 0.1]),
    (3.3, 97.0, 0.0, [0.0, 0.0]),
    (4.0, 98.0, 1.0, [0.0, 0.3]),
];

/// A rotation by tension, continuity and bias.
fn hinge() -> Track {
    let about_z = |degrees: f64| DQuat::from_rotation_z(degrees.to_radians()).to_array();
    let before = |n: usize| SWING[n.saturating_sub(1)].1;
    let turn = |n: usize| Whole { angle: (SWING[n].1 - before(n)).to_radians(), axis: [0.0, 0.0, 1.0] };
    let dials = |tension| Dials { tension, continuity: 0.0, bias: 0.0 };
    let keys: Vec<TcbRotationKey> = (0..SWING.len())
        .map(|n| TcbRotationKey {
            time: SWING[n].0,
            value: about_z(SWING[n].1),
            turn: turn(n),
            tcb: dials(SWING[n].2),
        })
        .collect();
    let controls: Vec<_> = (0..keys.len()).map(|n| tcb_controls(&keys, n)).collect();
    let shape = Shape::Tcb(Box::new(Tcb {
        settings: settings(),
        der_src: Values::Quaternions(controls.iter().map(|c| narrow(c.arriving)).collect()),
        der_dst: Values::Quaternions(controls.iter().map(|c| narrow(c.leaving)).collect()),
        turns: keys.iter().map(|k| Turn { angle: k.turn.angle as f32, axis: narrow(k.turn.axis) }).collect(),
    }));
    let times = SWING.map(|key| key.0);
    let values = Values::Quaternions(keys.iter().map(|key| narrow(key.value)).collect());
    track(KeyLaw::Tcb, "Hinge.Rotation", &times, values, shape)
}

fn settings() -> Vec<TcbSettings> {
    let one = |&(_, _, tension, [leaves, arrives]): &(f64, f64, f64, [f64; 2])| TcbSettings {
        tension: tension as f32,
        ease_from: leaves as f32,
        ease_to: arrives as f32,
        ..TcbSettings::default()
    };
    SWING.iter().map(one).collect()
}

/// A Bezier rotation: the ring is lifted towards who stands before the door, turned, and falls back with a swing.
fn ring() -> Track {
    let keys: [(f64, f64, f64); 8] = [
        (0.0, 0.0, 0.0),
        (0.2, -38.0, 0.0),
        (0.45, -36.0, 62.0),
        (0.75, -34.0, 64.0),
        (1.0, -20.0, 8.0),
        (1.2, 6.0, -2.0),
        (1.4, -3.0, 0.0),
        (1.7, 0.0, 0.0),
    ];
    let turns = keys.map(|(_, lift, twist)| {
        (DQuat::from_axis_angle(DVec3::X, lift.to_radians()) * DQuat::from_rotation_y(twist.to_radians()))
            .to_array()
    });
    let control = |n: usize| {
        let neighbour = |n: usize| turns.get(n).copied();
        squad_control(n.checked_sub(1).and_then(neighbour), turns[n], neighbour(n + 1))
    };
    let shape = Shape::Bezier(Bezier {
        der_src: Values::Quaternions((0..turns.len()).map(|n| narrow(control(n))).collect()),
        der_dst: None,
        flat_out: vec![false; turns.len()],
    });
    let values = Values::Quaternions(turns.iter().map(|q| narrow(*q)).collect());
    track(KeyLaw::Bezier, "Ring.Rotation", &keys.map(|key| key.0), values, shape)
}

/// A Bezier position: drawn back while the ring is turned, and sprung out again, where it stays.
fn bolt() -> Track {
    let out = BONES[3].2;
    let back = |metres: f32| [out[0] - metres, out[1], out[2]];
    let keys: [(f64, f32, f32, bool); 5] = [
        (0.0, 0.0, 0.0, true),
        (0.25, 0.0, 0.0, false),
        (0.45, 0.05, 0.0, true),
        (0.85, 0.05, 0.0, false),
        (0.93, 0.0, -0.03, true),
    ];
    let slope = |metres: f32| [-metres, 0.0, 0.0];
    let shape = Shape::Bezier(Bezier {
        der_src: Values::Vectors(keys.iter().map(|key| slope(key.2)).collect()),
        der_dst: Some(Values::Vectors(vec![[0.0; 3]; keys.len()])),
        flat_out: keys.iter().map(|key| key.3).collect(),
    });
    let values = Values::Vectors(keys.iter().map(|key| back(key.1)).collect());
    track(KeyLaw::Bezier, "Bolt.Position", &keys.map(|key| key.0), values, shape)
}

/// Amount of dust that falls: a number by tension, continuity and bias, for whoever wants to see it.
fn dust() -> Track {
    let falls = [
        (0.0, 0.0, 0.0),
        (0.7, 0.0, 1.0),
        (1.5, 0.35, 0.0),
        (2.9, 0.2, 1.0),
        (3.0, 1.0, 0.5),
        (4.0, 0.1, 0.0),
    ];
    let keys = falls.map(|(time, value, tension)| TcbKey {
        time,
        value: [value],
        tcb: Dials { tension, continuity: 0.0, bias: 0.0 },
    });
    let slopes: Vec<_> = (0..keys.len()).map(|n| tcb_slopes(&keys, n)).collect();
    let shape = Shape::Tcb(Box::new(Tcb {
        settings: falls.map(|key| TcbSettings { tension: key.2 as f32, ..TcbSettings::default() }).to_vec(),
        der_src: Values::Floats(slopes.iter().map(|s| s.arriving[0] as f32).collect()),
        der_dst: Values::Floats(slopes.iter().map(|s| s.leaving[0] as f32).collect()),
        turns: Vec::new(),
    }));
    let values = Values::Floats(keys.iter().map(|key| key.value[0] as f32).collect());
    track(KeyLaw::Tcb, "Dust", &keys.map(|key| key.time), values, shape)
}

/// The same at four fifths of the speed, hesitating in the middle.
fn clip() -> Clip {
    Clip {
        layer_id: 0,
        is_looping: false,
        time_scale: 0.8,
        transition: Some(Transition { blending: 1.0, fade_in: 0.2, fade_out: 0.4 }),
        time_warp: Some(vec![[0.0, 0.0], [0.4, 0.45], [0.55, 0.5], [1.0, 1.0]]),
        content: ClipContent::Simple(SubResource::Path("anims/door/open.ubi".into())),
    }
}
