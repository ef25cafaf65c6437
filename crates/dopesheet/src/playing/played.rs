//! A clip of a file, to be asked for the pose at a time.

use crate::choice::clip_choice::ClipChoice;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::muscles::refuse_muscles_alone;
use crate::playing::on_model::OnModel;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Limits, NameMap, ToScene};
use dopesheet_core::model::{Clip, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_motion::Side;
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_motion::sample::rig::{Behaviour, Player};
use std::ops::Index;
use std::sync::Arc;

impl Opened {
    /// The scene of the file without repairs, with all of its clips, in the file's axes and unit.
    ///
    /// # Errors
    /// If the document makes no sense as a scene.
    pub fn scene(&self) -> Result<Scene, Error> {
        self.scene_on(None)
    }

    /// A clip of the file.
    ///
    /// # Errors
    /// If the document cannot be interpreted, the clip does not exist, or it moves nothing but muscles of a
    /// human figure.
    pub fn clip(&self, which: &ClipChoice) -> Result<PlayedClip, Error> {
        self.clip_on(None, which)
    }

    /// A clip of the file on a model, for motions without joints of their own, such as MikuMikuDance's.
    ///
    /// # Errors
    /// As [`Opened::clip`]; also if the model cannot be interpreted.
    pub fn clip_on(&self, model: Option<&Self>, which: &ClipChoice) -> Result<PlayedClip, Error> {
        let mut scene = self.scene_on(model)?;
        let clip = which.take(&mut scene)?.unwrap_or_default();
        refuse_muscles_alone(std::slice::from_ref(&clip))?;
        Ok(PlayedClip { scene: Arc::new(scene), clip })
    }

    fn scene_on(&self, model: Option<&Self>) -> Result<Scene, Error> {
        let read = ToScene { as_stored: true, ..ToScene::default() };
        let (names, limits) = (&NameMap::default(), &Limits::default());
        let on_model = OnModel { motion: self, model, onto: None, names, clip: None, limits };
        on_model.scene(&read, &mut Report::default())
    }
}

/// A clip and the scene that it moves. For the poses of many times [`poses`](fn@crate::poses) is faster.
///
/// ```
/// use dopesheet::{ClipChoice, ReadOptions, open};
///
/// let jump = open("../../samples/jump.bvh".as_ref(), None, &ReadOptions::default())?;
/// let clip = jump.clip(&ClipChoice::First)?;
/// let pose = clip.at(0.5);
/// assert!(pose["Hips"].translation[1] > 0.0);
/// assert!(pose.get("Tail").is_none());
/// # Ok::<(), dopesheet::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlayedClip {
    scene: Arc<Scene>,
    clip: Clip,
}

impl PlayedClip {
    /// The clip itself: its tracks, keys and laws.
    #[must_use]
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// Its length in seconds.
    #[must_use]
    pub fn duration_s(&self) -> f64 {
        self.clip.duration.0
    }

    /// Names of the joints, parents before children.
    pub fn joints(&self) -> impl Iterator<Item = &str> {
        self.scene.nodes.iter().map(|node| node.name.as_str())
    }

    /// The local transforms of all joints at a time in seconds, after the rig if the model has one. A time
    /// within 1e-3 frame of a frame of the clip's grid is moved to that frame.
    #[must_use]
    pub fn at(&self, time_s: f64) -> NamedPose {
        let time = self.clip.grid.map_or(Seconds(time_s), |grid| grid.snap(Seconds(time_s)));
        let rigged =
            (!self.scene.rig.is_empty()).then(|| Player::new(&self.scene, &self.clip, Behaviour::default()));
        let local = match rigged {
            Some(Ok(mut player)) => player.pose_at(time, Side::At).local.clone(),
            _ => local_pose(&self.scene, &self.clip, time).0,
        };
        NamedPose { scene: Arc::clone(&self.scene), local }
    }
}

/// The local transforms of all joints at a time, by their names.
#[derive(Clone, Debug)]
pub struct NamedPose {
    scene: Arc<Scene>,
    local: Vec<Transform>,
}

impl NamedPose {
    /// The transform of the first joint with a name, relative to its parent; `None` if the joint does not
    /// exist.
    #[must_use]
    pub fn get(&self, joint: &str) -> Option<&Transform> {
        let at = self.scene.nodes.iter().position(|node| node.name == joint)?;
        self.local.get(at)
    }

    /// All joints and their transforms, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Transform)> {
        self.scene.nodes.iter().map(|node| node.name.as_str()).zip(&self.local)
    }
}

impl Index<&str> for NamedPose {
    type Output = Transform;

    /// The transform of a joint.
    ///
    /// # Panics
    /// If no joint has the name; [`NamedPose::get`] does not.
    fn index(&self, joint: &str) -> &Transform {
        self.get(joint).unwrap_or_else(|| panic!("no joint is called \"{joint}\""))
    }
}
