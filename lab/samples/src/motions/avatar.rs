//! avatar.vrm: somebody small with a large head, in VRM 1.0. Names, rest pose and proportions are not those of character.glb.

use super::boxes::{Joint, UnitBox, glb, joint, nodes, placed};
use serde_json::{Map, Value, json};

/// In T-pose, with the names that a program for avatars gives; each with its bone in VRM's words.
const JOINTS: [(&str, Joint); 21] = [
    ("hips", joint("J_Bip_C_Hips", None, [0.0, 0.54, 0.0], [[0.0, 0.0, 0.0], [0.2, 0.14, 0.14]])),
    ("spine", joint("J_Bip_C_Spine", Some(0), [0.0, 0.06, 0.0], [[0.0, 0.07, 0.0], [0.17, 0.14, 0.12]])),
    ("chest", joint("J_Bip_C_Chest", Some(1), [0.0, 0.14, 0.0], [[0.0, 0.08, 0.0], [0.21, 0.16, 0.14]])),
    ("neck", joint("J_Bip_C_Neck", Some(2), [0.0, 0.17, 0.0], [[0.0, 0.02, 0.0], [0.06, 0.05, 0.06]])),
    ("head", joint("J_Bip_C_Head", Some(3), [0.0, 0.04, 0.0], [[0.0, 0.15, 0.01], [0.27, 0.28, 0.25]])),
    (
        "leftShoulder",
        joint("J_Bip_L_Shoulder", Some(2), [0.03, 0.13, 0.0], [[0.04, 0.0, 0.0], [0.08, 0.06, 0.07]]),
    ),
    (
        "leftUpperArm",
        joint("J_Bip_L_UpperArm", Some(5), [0.09, 0.0, 0.0], [[0.09, 0.0, 0.0], [0.19, 0.065, 0.065]]),
    ),
    (
        "leftLowerArm",
        joint("J_Bip_L_LowerArm", Some(6), [0.19, 0.0, 0.0], [[0.08, 0.0, 0.0], [0.17, 0.055, 0.055]]),
    ),
    ("leftHand", joint("J_Bip_L_Hand", Some(7), [0.17, 0.0, 0.0], [[0.05, 0.0, 0.0], [0.1, 0.03, 0.07]])),
    (
        "rightShoulder",
        joint("J_Bip_R_Shoulder", Some(2), [-0.03, 0.13, 0.0], [[-0.04, 0.0, 0.0], [0.08, 0.06, 0.07]]),
    ),
    (
        "rightUpperArm",
        joint("J_Bip_R_UpperArm", Some(9), [-0.09, 0.0, 0.0], [[-0.09, 0.0, 0.0], [0.19, 0.065, 0.065]]),
    ),
    (
        "rightLowerArm",
        joint("J_Bip_R_LowerArm", Some(10), [-0.19, 0.0, 0.0], [[-0.08, 0.0, 0.0], [0.17, 0.055, 0.055]]),
    ),
    ("rightHand", joint("J_Bip_R_Hand", Some(11), [-0.17, 0.0, 0.0], [[-0.05, 0.0, 0.0], [0.1, 0.03, 0.07]])),
    (
        "leftUpperLeg",
        joint("J_Bip_L_UpperLeg", Some(0), [0.07, -0.04, 0.0], [[0.0, -0.11, 0.0], [0.1, 0.24, 0.1]]),
    ),
    (
        "leftLowerLeg",
        joint("J_Bip_L_LowerLeg", Some(13), [0.0, -0.22, 0.0], [[0.0, -0.1, 0.0], [0.085, 0.22, 0.085]]),
    ),
    (
        "leftFoot",
        joint("J_Bip_L_Foot", Some(14), [0.0, -0.22, 0.0], [[0.0, -0.025, 0.02], [0.08, 0.07, 0.12]]),
    ),
    (
        "leftToes",
        joint("J_Bip_L_ToeBase", Some(15), [0.0, -0.04, 0.08], [[0.0, 0.0, 0.03], [0.08, 0.04, 0.06]]),
    ),
    (
        "rightUpperLeg",
        joint("J_Bip_R_UpperLeg", Some(0), [-0.07, -0.04, 0.0], [[0.0, -0.11, 0.0], [0.1, 0.24, 0.1]]),
    ),
    (
        "rightLowerLeg",
        joint("J_Bip_R_LowerLeg", Some(17), [0.0, -0.22, 0.0], [[0.0, -0.1, 0.0], [0.085, 0.22, 0.085]]),
    ),
    (
        "rightFoot",
        joint("J_Bip_R_Foot", Some(18), [0.0, -0.22, 0.0], [[0.0, -0.025, 0.02], [0.08, 0.07, 0.12]]),
    ),
    (
        "rightToes",
        joint("J_Bip_R_ToeBase", Some(19), [0.0, -0.04, 0.08], [[0.0, 0.0, 0.03], [0.08, 0.04, 0.06]]),
    ),
];

/// The joint that has the face.
const HEAD: usize = 4;

/// The face: names, meshes (1 closes, 2 opens and smiles), middles and sizes.
const FACE: [(&str, usize, [[f64; 3]; 2]); 3] = [
    ("left eye", 1, [[0.06, 0.16, 0.135], [0.045, 0.08, 0.02]]),
    ("right eye", 1, [[-0.06, 0.16, 0.135], [0.045, 0.08, 0.02]]),
    ("mouth", 2, [[0.0, 0.065, 0.135], [0.06, 0.015, 0.02]]),
];

/// The avatar as a GLB with the extension of VRM 1.0; anybody may change it and hand it on.
pub(super) fn avatar() -> Vec<u8> {
    let mut shape = UnitBox::new();
    let [mut eye, mut mouth] = [UnitBox::primitive(), UnitBox::primitive()];
    (eye["material"], eye["targets"]) = (json!(1), json!([shape.stretched([1.1, 0.1, 1.0])]));
    let mouths = [shape.stretched([0.7, 4.0, 1.0]), shape.stretched([1.8, 1.0, 1.0])];
    (mouth["material"], mouth["targets"]) = (json!(1), json!(mouths));
    let gltf = json!({
        "asset": { "version": "2.0", "generator": "Dopesheet samples" },
        "extensionsUsed": ["VRMC_vrm"],
        "scene": 0,
        "scenes": [{ "name": "avatar", "nodes": [0] }],
        "nodes": with_face(),
        "meshes": [
            { "name": "box", "primitives": [UnitBox::primitive()] },
            { "name": "eye", "primitives": [eye], "extras": { "targetNames": ["closed"] } },
            { "name": "mouth", "primitives": [mouth], "extras": { "targetNames": ["open", "wide"] } },
        ],
        "materials": [colour("mint", [0.35, 0.72, 0.62, 1.0]), colour("ink", [0.05, 0.06, 0.1, 1.0])],
        "buffers": [{ "byteLength": shape.buffer.len() }],
        "bufferViews": shape.views,
        "accessors": shape.accessors,
        "extensions": { "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {
                "name": "Small one", "version": "1", "authors": ["Dopesheet"],
                "licenseUrl": "https://vrm.dev/licenses/1.0/",
                "avatarPermission": "everyone", "commercialUsage": "corporation",
                "modification": "allowModificationRedistribution", "allowRedistribution": true,
            },
            "humanoid": { "humanBones": bones() },
            "expressions": { "preset": {
                "blink": binds(&[(0, 0), (1, 0)]), "blinkLeft": binds(&[(0, 0)]), "blinkRight": binds(&[(1, 0)]),
                "aa": binds(&[(2, 0)]), "happy": binds(&[(2, 1)]),
            } },
        } },
    });
    glb(&gltf, &shape.buffer)
}

/// Joints and boxes, and the face behind them.
fn with_face() -> Vec<Value> {
    let mut all = nodes(&JOINTS.map(|(_, joint)| joint));
    let first = all.len();
    if let Some(children) = all[HEAD]["children"].as_array_mut() {
        children.extend((first..first + FACE.len()).map(Value::from));
    }
    all.extend(FACE.map(|(name, mesh, place)| placed(name, mesh, place)));
    all
}

fn bones() -> Map<String, Value> {
    JOINTS.iter().enumerate().map(|(node, (bone, _))| ((*bone).to_owned(), json!({ "node": node }))).collect()
}

/// An expression that moves morphs, by parts of the face and targets of their meshes.
fn binds(of: &[(usize, usize)]) -> Value {
    // Behind the joints and their boxes.
    let bind = |(part, index): &(usize, usize)| json!({ "node": 2 * JOINTS.len() + part, "index": index, "weight": 1.0 });
    json!({ "morphTargetBinds": of.iter().map(bind).collect::<Vec<_>>() })
}

fn colour(name: &str, rgba: [f64; 4]) -> Value {
    json!({ "name": name, "pbrMetallicRoughness": {
        "baseColorFactor": rgba, "metallicFactor": 0.0, "roughnessFactor": 0.8
    } })
}
