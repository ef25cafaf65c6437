//! An open file, and the facts about it.

use crate::files::choices::Change;
use crate::files::incoming::Incoming;
use dopesheet::core::model::{Clip, Scene};
use dopesheet::draw::{Stage, Textures};
use dopesheet::{ClipChoice, Error, Info, NameMap, Opened, Report, core::format::Role};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// The serial number of the next document.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Operations on a file, and the file without them.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) original: Arc<Document>,
    pub(crate) changes: Vec<Change>,
}

/// An open file. Slow facts are computed when a panel first shows them.
#[derive(Debug)]
pub(crate) struct Document {
    /// Unique among all documents since the start of the program.
    pub(crate) serial: u32,
    pub(crate) opened: Opened,
    /// True of the puppet of the library, a document without a file.
    pub(crate) is_puppet: bool,
    /// Size of the file in bytes.
    pub(crate) size: usize,
    /// The delivered files, and the position of this document among those opened from them.
    pub(crate) origin: Option<(Arc<[Incoming]>, usize)>,
    /// Referenced files that are missing from the delivery.
    pub(crate) missing: Vec<String>,
    /// Name of the archive around the file, and the path inside.
    pub(crate) entry: Option<(String, String)>,
    /// Operations on the file, if there were any.
    pub(crate) edited: Option<Edited>,
    info: OnceLock<Result<Info, String>>,
    findings: OnceLock<Report>,
}

impl Document {
    pub(crate) fn new(opened: Opened, size: usize) -> Self {
        Self {
            serial: NEXT.fetch_add(1, Ordering::Relaxed),
            opened,
            is_puppet: false,
            size,
            origin: None,
            missing: Vec::new(),
            entry: None,
            edited: None,
            info: OnceLock::new(),
            findings: OnceLock::new(),
        }
    }

    /// The puppet of the library.
    pub(crate) fn puppet() -> Result<Self, Error> {
        Ok(Self { is_puppet: true, ..Self::new(dopesheet::puppet::standard_model()?, 0) })
    }

    /// Serial number of the file as it was opened, the same after every operation.
    pub(crate) fn file_serial(&self) -> u32 {
        self.edited.as_ref().map_or(self.serial, |edited| edited.original.serial)
    }

    /// Operations on the file so far.
    pub(crate) fn changes(&self) -> &[Change] {
        self.edited.as_ref().map_or(&[], |edited| &edited.changes)
    }

    /// Name of the file without folders.
    pub(crate) fn name(&self) -> &str {
        self.opened.name.rsplit(['/', '\\']).next().unwrap_or(&self.opened.name)
    }

    /// True if motions can play on the document.
    pub(crate) fn is_model(&self) -> bool {
        matches!(self.opened.format().info().role, Role::Model | Role::Scene)
    }

    /// True of a document without motions.
    pub(crate) fn is_only_model(&self) -> bool {
        match self.opened.format().info().role {
            Role::Model => true,
            Role::Scene => self.info().as_ref().is_ok_and(|info| info.clips.is_empty()),
            Role::Motion | Role::Archive => false,
        }
    }

    /// True of a motion without a skeleton to move.
    pub(crate) fn wants_model(&self) -> bool {
        self.opened.format().info().role == Role::Motion
    }

    /// True if it has all the bones that a human figure needs.
    pub(crate) fn is_human(&self) -> bool {
        let humanoid = self.info().as_ref().ok().and_then(|info| info.humanoid.as_ref());
        humanoid.is_some_and(|humanoid| humanoid.required.is_empty())
    }

    /// True if a model has at least a part of the moved targets.
    fn plays_on(&self, model: &Self) -> bool {
        let binding = dopesheet::binding(&self.opened, &model.opened, &NameMap::default());
        binding.is_ok_and(|binding| !binding.moved.is_empty())
    }

    pub(crate) fn info(&self) -> &Result<Info, String> {
        self.info.get_or_init(|| dopesheet::info(&self.opened).map_err(|error| error.to_string()))
    }

    /// Errors, warnings and remarks about the file.
    pub(crate) fn findings(&self) -> &Report {
        self.findings.get_or_init(|| dopesheet::check(&self.opened))
    }

    /// Number of findings, once the panel has shown them.
    pub(crate) fn known_findings(&self) -> Option<usize> {
        self.findings.get().map(|report| report.findings.len())
    }
}

/// A document on the stage: with its model, and a clip.
#[derive(Debug)]
pub(crate) struct Shown {
    /// Assumptions and repairs.
    pub(crate) report: Report,
    /// Names of the document's clips.
    pub(crate) clips: Vec<String>,
    /// Position of the shown clip.
    pub(crate) clip: usize,
    /// The model under the motion.
    pub(crate) model: Option<Arc<Document>>,
    scene: Arc<Scene>,
    pub(crate) stage: Arc<Stage>,
}

impl Shown {
    /// The first clip with keys of a document; a motion without a skeleton plays on the model, if the model has some of the moved targets.
    pub(crate) fn new(
        document: &Document,
        model: Option<&Arc<Document>>,
        textures: &mut Textures,
    ) -> Result<Self, Error> {
        let model = model.filter(|model| document.wants_model() && document.plays_on(model));
        let mut report = Report::default();
        let scene = dopesheet::show::show(
            &document.opened,
            model.map(|model| &model.opened),
            &NameMap::default(),
            &mut report,
        )?;
        let scene = Arc::new(scene);
        let clips = scene.clips.iter().enumerate().map(|(i, clip)| clip_name(clip, i)).collect();
        let clip = ClipChoice::First.place_in(&scene.clips)?.unwrap_or_default();
        let model = model.map(Arc::clone);
        Ok(Self { report, clips, clip, model, stage: stage(&scene, clip, textures), scene })
    }

    /// Shows another clip.
    pub(crate) fn choose(&mut self, clip: usize, textures: &mut Textures) {
        if clip < self.clips.len() {
            self.clip = clip;
            self.stage = stage(&self.scene, clip, textures);
        }
    }
}

fn clip_name(clip: &Clip, index: usize) -> String {
    clip.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("#{index}"))
}

fn stage(scene: &Arc<Scene>, clip: usize, textures: &mut Textures) -> Arc<Stage> {
    let clip = scene.clips.get(clip).cloned().unwrap_or_default();
    Arc::new(Stage::sharing(Arc::clone(scene), clip.into(), textures))
}
