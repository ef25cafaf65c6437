//! The files of `src/model/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use dopesheet_core::diag::Report;
use dopesheet_playcanvas::model::PlayCanvasModel;
use dopesheet_testkit::{Fixture, assert_identity, read_reporting};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/model/fixtures")
}

pub(crate) const ROOT: &str = r#"{"name":"RootNode","position":[0,0,0],"rotation":[0,0,0],"scale":[1,1,1]}"#;
pub(crate) const BONE: &str = r#"{"name":"bone","position":[0,2,0],"rotation":[0,0,90],"scale":[1,1,1]}"#;
pub(crate) const SKIN: &str = concat!(
    r#"{"boneNames":["bone","RootNode"],"inverseBindMatrices":["#,
    "[1,0,0,0,0,1,0,0,0,0,1,0,0,-2,0,1],[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]]}"
);
pub(crate) const VERTICES: &str = concat!(
    r#"{"position":{"type":"float32","components":3,"data":[0,0,0,1,0,0,0,1,0,5,5,5]},"#,
    r#""normal":{"type":"float32","components":3,"data":[0,0,1,0,0,1,0,0,1,0,0,1]},"#,
    r#""texCoord0":{"type":"float32","components":2,"data":[0,0,1,0,0,1,0.5,0.25]},"#,
    r#""blendIndices":{"type":"uint8","components":4,"data":[0,1,0,0,1,0,0,0,0,0,0,0,0,0,0,0]},"#,
    r#""blendWeight":{"type":"float32","components":4,"data":[0.5,0.5,0,0,1,0,0,0,1,0,0,0,0,0,0,0]}}"#
);
pub(crate) const MESH: &str =
    r#"{"vertices":0,"indices":[0,1,2,2,1,3],"type":"triangles","base":0,"count":3,"skin":0,"morph":0}"#;
pub(crate) const MORPH: &str = concat!(
    r#"{"targets":[{"name":"up","deltaPositions":[0,1,0,0,0,0,0,0,0,9,9,9],"deltaNormals":[]},"#,
    r#"{"name":"side","indices":[2,3],"deltaPositions":[1,0,0,9,9,9],"deltaNormals":[0,0,0,0,0,0]}]}"#
);

/// The parts of a model file, to be put together with changes.
#[derive(Clone)]
pub(crate) struct Parts(BTreeMap<&'static str, String>);

impl Parts {
    /// Two nodes, a skin, a triangle and two morphs.
    pub(crate) fn new() -> Self {
        let list = |items: &[&str]| format!("[{}]", items.join(","));
        Self(BTreeMap::from([
            ("version", "3".into()),
            ("nodes", list(&[ROOT, BONE])),
            ("parents", "[-1,0]".into()),
            ("skins", list(&[SKIN])),
            ("morphs", list(&[MORPH])),
            ("vertices", list(&[VERTICES])),
            ("meshes", list(&[MESH])),
            ("meshInstances", r#"[{"node":1,"mesh":0}]"#.into()),
        ]))
    }

    pub(crate) fn with(mut self, part: &'static str, json: &str) -> Self {
        self.0.insert(part, json.into());
        self
    }

    pub(crate) fn replaced(mut self, part: &'static str, from: &str, to: &str) -> Self {
        let json = self.0.get_mut(part).unwrap();
        assert!(json.contains(from), "{from}");
        *json = json.replacen(from, to, 1);
        self
    }

    pub(crate) fn without(mut self, part: &str) -> Self {
        self.0.remove(part);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let members: Vec<String> = self.0.iter().map(|(name, json)| format!("\"{name}\":{json}")).collect();
        format!("{{\"model\":{{{}}}}}", members.join(",")).into_bytes()
    }
}

/// The triangle with tangents, colours, another set of coordinates and a morph of its normals.
fn surface() -> Parts {
    let further = concat!(
        r#""tangent":{"type":"float32","components":4,"data":[1,0,0,-1,0,1,0,1,0,0,1,1,9,9,9,9]},"#,
        r#""color":{"type":"uint8","components":4,"data":[9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9]},"#,
        r#""texCoord2":{"type":"float32","components":2,"data":[0.25,0.5,0.5,0.5,0.75,0,9,9]},"normal""#
    );
    let parts = Parts::new().replaced("vertices", "\"normal\"", further);
    parts.replaced("morphs", "\"deltaNormals\":[]", "\"deltaNormals\":[0,0,0,0,0.5,0,0,0,0,9,9,9]")
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    let third = BONE.replace("\"bone\"", "\"tip\"");
    let backwards =
        Parts::new().with("nodes", &format!("[{ROOT},{third},{BONE}]")).with("parents", "[-1,2,0]");
    let skeleton = ["skins", "morphs", "vertices", "meshes", "meshInstances"];
    let skeleton = skeleton.iter().fold(Parts::new(), |parts, part| parts.without(part));
    vec![
        ("skinned", Parts::new().bytes()),
        ("skeleton", skeleton.with("version", "2").bytes()),
        ("children-before-parents", backwards.bytes()),
        ("surface", surface().bytes()),
        (
            "strip",
            Parts::new()
                .replaced("meshes", "triangles", "trianglestrip")
                .replaced("meshes", "\"count\":3", "\"count\":6")
                .bytes(),
        ),
    ]
}

/// One file per code that reading reports, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let parts = Parts::new;
    vec![
        ("pcm-json", parts().bytes()[..100].to_vec()),
        ("pcm-root", b"[]".to_vec()),
        ("pcm-model", b"{\"animation\":{}}".to_vec()),
        ("pcm-model-number", b"{\"model\":3}".to_vec()),
        ("pcm-version", parts().with("version", "1").bytes()),
        ("pcm-nodes", parts().without("nodes").bytes()),
        ("pcm-nodes-empty", parts().with("nodes", "[]").bytes()),
        ("pcm-node", parts().replaced("nodes", "\"position\":[0,2,0]", "\"position\":[0,2]").bytes()),
        ("pcm-node-scale", parts().replaced("nodes", ",\"scale\":[1,1,1]", "").bytes()),
        ("pcm-parents", parts().with("parents", "[-1]").bytes()),
        ("pcm-parents-range", parts().with("parents", "[-1,2]").bytes()),
        ("pcm-parents-circle", parts().with("parents", "[-1,1]").bytes()),
        ("pcm-skins", parts().replaced("skins", ",\"RootNode\"", "").bytes()),
        ("pcm-skins-matrix", parts().replaced("skins", "[1,0,0,0,", "[1,0,0,").bytes()),
        ("pcm-vertices", parts().replaced("vertices", "\"position\"", "\"place\"").bytes()),
        ("pcm-vertices-count", parts().replaced("vertices", "0.5,0.25", "0.5").bytes()),
        (
            "pcm-vertices-components",
            parts().replaced("vertices", "\"components\":3", "\"components\":0").bytes(),
        ),
        ("pcm-meshes", parts().replaced("meshes", "\"vertices\":0,", "").bytes()),
        ("pcm-morphs", parts().replaced("morphs", "[1,0,0,9,9,9]", "[1,0,0]").bytes()),
        ("pcm-mesh-instances", parts().with("meshInstances", "[{\"node\":1}]").bytes()),
        ("pcm-index", parts().replaced("meshes", "[0,1,2,", "[0,1,4,").bytes()),
        ("pcm-index-count", parts().replaced("meshes", "\"count\":3", "\"count\":7").bytes()),
        ("pcm-index-skin", parts().replaced("meshes", "\"skin\":0", "\"skin\":1").bytes()),
        ("pcm-index-morph", parts().replaced("morphs", "[2,3]", "[2,4]").bytes()),
        ("pcm-index-node", parts().with("meshInstances", "[{\"node\":2,\"mesh\":0}]").bytes()),
        ("pcm-index-fraction", parts().replaced("meshes", "[0,1,2,", "[0,1,1.5,").bytes()),
    ]
}

/// One file per code that only checking reports, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let parts = Parts::new;
    vec![
        ("pcm-w-version", parts().without("version").bytes()),
        (
            "pcm-w-scale-compensation",
            parts()
                .replaced("nodes", "{\"name\":\"bone\",", "{\"name\":\"bone\",\"scaleCompensation\":true,")
                .bytes(),
        ),
        ("pcm-w-bone-unknown", parts().replaced("skins", "\"bone\"", "\"arm\"").bytes()),
        (
            "pcm-w-bone-ambiguous",
            parts().with("nodes", &format!("[{ROOT},{BONE},{BONE}]")).with("parents", "[-1,0,0]").bytes(),
        ),
        ("pcm-w-not-drawn", parts().replaced("meshes", "triangles", "lines").bytes()),
        (
            "pcm-w-no-weights",
            parts()
                .replaced(
                    "vertices",
                    "[0.5,0.5,0,0,1,0,0,0,1,0,0,0,0,0,0,0]",
                    "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
                )
                .bytes(),
        ),
        ("pcm-w-joint-range", parts().replaced("vertices", "[0,1,0,0,1,", "[0,1,0,0,2,").bytes()),
    ]
}

fn fixtures() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

/// All fixtures by folder and file name.
pub(crate) fn all() -> BTreeMap<String, Vec<u8>> {
    let named = |(kind, name, bytes): Fixture| (format!("{kind}/{name}.json"), bytes);
    fixtures().into_iter().map(named).collect()
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "json", &fixtures());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<PlayCanvasModel>(&fixtures(), "", &[], &[]);
}

#[test]
fn sound_files_have_no_findings() {
    for (name, bytes) in all().iter().filter(|(name, _)| name.starts_with("valid")) {
        assert_eq!(read_reporting::<PlayCanvasModel>(bytes).1, Report::default(), "{name}");
    }
}

#[test]
fn every_accepted_fixture_is_written_as_it_was() {
    for (name, bytes) in all().iter().filter(|(name, _)| !name.starts_with("invalid")) {
        assert_identity::<PlayCanvasModel>(bytes, name);
    }
}
