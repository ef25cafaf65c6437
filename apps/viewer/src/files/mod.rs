//! The open files, the shown file, and its model.

pub(crate) mod choices;
pub(crate) mod document;
pub(crate) mod history;
pub(crate) mod inbox;
pub(crate) mod incoming;
pub(crate) mod inputs;
pub(crate) mod offer;

use crate::files::document::{Document, Shown};
use crate::files::inbox::Delivery;
use crate::files::incoming::{Failure, Incoming};
use crate::files::inputs::Inputs;
use crate::files::offer::{Offer, set_aside};
use dopesheet::core::words::counted;
use dopesheet::draw::Textures;
use dopesheet::{Archive, ClipChoice, ReadOptions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Largest number of files opened from an archive.
const MOST_ENTRIES: usize = 300;

/// Place of a second file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Placing {
    /// In its own picture.
    #[default]
    Beside,
    /// In the same picture.
    Over,
}

/// The open files: the motion on the stage, its model, and a second file.
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) documents: Vec<Arc<Document>>,
    /// Index of the file on the stage.
    pub(crate) active: usize,
    /// Index of the model under the motions; `None` is the puppet of the library.
    pub(crate) model: Option<usize>,
    /// Index of the file to compare with.
    pub(crate) other: Option<usize>,
    pub(crate) placing: Placing,
    /// Index of the figure that takes the motion on the stage.
    pub(crate) figure: Option<usize>,
    /// The figure with the motion, once the job is done, in the place of the second file.
    pub(crate) fitted: Option<Arc<Document>>,
    pub(crate) shown: Option<Shown>,
    pub(crate) other_shown: Option<Shown>,
    pub(crate) failures: Vec<Failure>,
    /// Archives that wait for a choice of their entries.
    pub(crate) offers: Vec<Offer>,
    /// Textures of the figures on the stage.
    pub(crate) textures: Textures,
}

impl Files {
    /// Opens files of one delivery, among them textures and buffers of others. Readable files go onto the stage, failures are kept with their
    /// messages, and entries of archives are offered.
    pub(crate) fn open(&mut self, delivery: Delivery) {
        let (mut documents, failures) = read_all(&delivery.files);
        let files: Arc<[Incoming]> = delivery.files.into();
        for (position, document) in documents.iter_mut().enumerate() {
            document.origin = Some((Arc::clone(&files), position));
        }
        self.failures.extend(delivery.failures.into_iter().chain(failures));
        let (documents, offers) = set_aside(delivery.documents.into_iter().chain(documents).collect());
        self.offers.extend(offers);
        let motions = self.add(documents);
        let figure = delivery.figure.as_deref().map(base);
        if let Some(figure) = self.documents.iter().rposition(|document| Some(document.name()) == figure) {
            self.put_on(Some(figure), None);
        } else if let [_, other] = motions[..] {
            // Two motions that come together are to be compared.
            self.compare(Some(other));
        }
    }

    /// Opens the chosen entries of the first archive.
    pub(crate) fn open_chosen(&mut self) {
        if !self.offers.is_empty() {
            let offer = self.offers.remove(0);
            self.add(offer.chosen());
        }
    }

    /// Adds documents and puts the first motion among them onto the stage, without the second file of an earlier motion. Yields the indices of
    /// the motions.
    fn add(&mut self, documents: Vec<Document>) -> Vec<usize> {
        let Some(last) = documents.len().checked_sub(1) else { return Vec::new() };
        let first = self.documents.len();
        self.documents.extend(documents.into_iter().map(Arc::new));
        let new = first..=first + last;
        let has_clips = |index: &usize| !self.documents[*index].is_only_model();
        let model = new.clone().find(|index| self.documents[*index].is_only_model());
        self.model = model.or(self.model);
        let motions: Vec<usize> = new.filter(has_clips).collect();
        (self.other, self.figure) = (None, None);
        // Models alone are for the motion that is there.
        let shown = self.document().is_some_and(|document| !document.is_only_model()).then_some(self.active);
        self.show(motions.first().copied().or(shown.filter(|shown| *shown < first)).unwrap_or(first));
        motions
    }

    /// Puts a file onto the stage.
    pub(crate) fn show(&mut self, index: usize) {
        let Some(document) = self.documents.get(index).map(Arc::clone) else { return };
        let model = self.model.and_then(|model| self.documents.get(model)).map(Arc::clone);
        if self.active != index || self.figure == Some(index) {
            (self.figure, self.fitted) = (self.figure.filter(|figure| *figure != index), None);
        }
        self.active = index;
        self.shown = self.prepared(&document, model.as_ref());
        if self.other == Some(index) {
            self.other = None;
        }
        self.compare(self.other);
    }

    /// Shows a second file, or none.
    pub(crate) fn compare(&mut self, other: Option<usize>) {
        self.other = other.filter(|other| *other != self.active && *other < self.documents.len());
        let document = self.beside().map(Arc::clone);
        let model = self.model.and_then(|model| self.documents.get(model)).map(Arc::clone);
        self.other_shown = document.and_then(|document| self.prepared(&document, model.as_ref()));
        if self.other_shown.is_none() {
            self.other = None;
        }
        // A figure may have clips of its own, before the one that it took.
        if self.other.is_none()
            && let Some(fitted) = self.other_shown.as_mut().filter(|fitted| fitted.clips.len() > 1)
        {
            fitted.choose(fitted.clips.len() - 1, &mut self.textures);
        }
    }

    /// Sets the figure that takes the motion on the stage; `fitted` is the result of the job.
    pub(crate) fn put_on(&mut self, figure: Option<usize>, fitted: Option<Document>) {
        self.figure = figure.filter(|figure| *figure != self.active && *figure < self.documents.len());
        self.fitted = fitted.map(Arc::new);
        self.compare(None);
    }

    /// The position of the file with a serial number.
    pub(crate) fn of_serial(&self, serial: u32) -> Option<usize> {
        self.documents.iter().position(|document| document.file_serial() == serial)
    }

    /// Puts another state of a file into its place, wherever it is shown.
    pub(crate) fn replace(&mut self, index: usize, document: Arc<Document>) {
        if let Some(old) = self.documents.get_mut(index) {
            *old = document;
            let (figure, fitted) = (self.figure, self.fitted.take());
            self.show(self.active);
            (self.figure, self.fitted) = (figure, fitted);
            self.compare(self.other);
        }
    }

    /// True if the motion on the stage plays on no model while a model is open, so that the motion may be put onto the model.
    pub(crate) fn awaits_figure(&self) -> bool {
        let plays_on = self.shown.as_ref().is_some_and(|shown| shown.model.is_some());
        let is_motion = self.document().is_some_and(|document| !document.is_only_model());
        is_motion && !plays_on && self.model.is_some_and(|model| model != self.active)
    }

    /// The model of the motion on the stage, if it is a human figure and nothing else is open.
    pub(crate) fn only_figure(&self) -> Option<usize> {
        let figure = self.model.filter(|_| self.documents.len() == 2)?;
        self.documents.get(figure)?.is_human().then_some(figure)
    }

    /// Shows a chosen clip of the file on the stage. True if another clip was shown.
    pub(crate) fn choose_clip(&mut self, choice: &ClipChoice) -> bool {
        let Some(shown) = self.shown.as_mut() else { return false };
        let position = match choice {
            ClipChoice::Name(name) => shown.clips.iter().position(|clip| clip == name),
            ClipChoice::Position(position) => {
                Some(*position).filter(|position| *position < shown.clips.len())
            }
            ClipChoice::First | ClipChoice::All => None,
        };
        let other = position.filter(|position| *position != shown.clip);
        other.inspect(|clip| shown.choose(*clip, &mut self.textures)).is_some()
    }

    /// Plays motions on another model.
    pub(crate) fn play_on(&mut self, model: Option<usize>) {
        self.model = model;
        self.show(self.active);
    }

    /// Closes one of the files.
    pub(crate) fn close(&mut self, index: usize) {
        if index >= self.documents.len() {
            return;
        }
        self.documents.remove(index);
        let moved = |at: usize| at - usize::from(at > index);
        self.model = self.model.filter(|at| *at != index).map(moved);
        self.other = self.other.filter(|at| *at != index).map(moved);
        (self.figure, self.fitted) = (self.figure.filter(|at| *at != index).map(moved), None);
        (self.shown, self.other_shown) = (None, None);
        self.active = moved(self.active).min(self.documents.len().saturating_sub(1));
        self.show(self.active);
    }

    /// Names of referenced files that are not open: mostly pictures of the model.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &str> {
        let shown = [self.document(), self.shown.as_ref().and_then(|shown| shown.model.as_ref())];
        shown.into_iter().flatten().flat_map(|document| &document.missing).map(String::as_str)
    }

    /// The file on the stage.
    pub(crate) fn document(&self) -> Option<&Arc<Document>> {
        self.documents.get(self.active)
    }

    /// The file to compare with.
    pub(crate) fn other_document(&self) -> Option<&Arc<Document>> {
        self.documents.get(self.other?)
    }

    /// The figure that takes the motion.
    pub(crate) fn figure_document(&self) -> Option<&Arc<Document>> {
        self.documents.get(self.figure?)
    }

    /// The second document on the stage: the file to compare with, or the figure with the motion.
    pub(crate) fn beside(&self) -> Option<&Arc<Document>> {
        self.other_document().or(self.fitted.as_ref())
    }

    /// The model under the motions on the stage.
    pub(crate) fn model_document(&self) -> Option<&Arc<Document>> {
        let shown = [&self.shown, &self.other_shown];
        shown.into_iter().flatten().find_map(|shown| shown.model.as_ref())
    }

    /// Name of the figure with the motion.
    pub(crate) fn fitted_name(&self) -> Option<String> {
        self.fitted.as_ref()?;
        Some(format!("{} on {}", self.document()?.opened.stem(), self.figure_document()?.name()))
    }

    /// Inputs of jobs: the document on the stage, its model, the second file, and the figure.
    pub(crate) fn inputs(&self) -> Option<Inputs> {
        let document = Arc::clone(self.document()?);
        let [model, other] = [self.model_document(), self.other_document()];
        let [model, other, figure] = [model, other, self.figure_document()].map(|file| file.map(Arc::clone));
        Some(Inputs { document, model, other, figure })
    }

    fn prepared(&mut self, document: &Document, model: Option<&Arc<Document>>) -> Option<Shown> {
        let shown = Shown::new(document, model, &mut self.textures);
        shown.map_err(|error| self.failures.push(Failure::of(document.name(), &error))).ok()
    }
}

/// Reads files of one delivery. A file referenced by a document becomes part of the document, unless the file is a document itself.
pub(crate) fn read_all(files: &[Incoming]) -> (Vec<Document>, Vec<Failure>) {
    // Small letters: many files were made where their case does not matter.
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        by_name.entry(base(&file.name).to_lowercase()).or_insert(index);
    }
    let mut is_part = vec![false; files.len()];
    let mut read = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut missing = Vec::new();
        let mut fetch = |wanted: &str| {
            let part = by_name.get(&base(wanted).to_lowercase()).copied().filter(|part| *part != index);
            let Some(part) = part else {
                missing.push(base(wanted).to_owned());
                return None;
            };
            is_part[part] = true;
            Some(files[part].bytes.clone())
        };
        let opened = dopesheet::read(&file.name, &file.bytes, &ReadOptions::default(), &mut fetch);
        read.push((index, opened, missing));
    }
    let (mut documents, mut failures) = (Vec::new(), Vec::new());
    for (index, opened, missing) in read {
        let file = &files[index];
        if let Ok(Some(archive)) = Archive::read(&file.name, file.bytes.clone(), false) {
            unpack(&archive, &file.name, &mut documents, &mut failures);
            continue;
        }
        match opened {
            Ok(opened) => {
                let mut document = Document::new(opened, file.bytes.len());
                document.missing = missing;
                documents.push(document);
            }
            Err(_) if is_part[index] => {}
            Err(error) => failures.push(Failure::of(base(&file.name), &error)),
        }
    }
    (documents, failures)
}

/// Opens the entries of an archive in known formats.
pub(crate) fn unpack(
    archive: &Archive,
    name: &str,
    documents: &mut Vec<Document>,
    failures: &mut Vec<Failure>,
) {
    let entries = match archive.entries(true) {
        Ok(entries) => entries,
        Err(error) => return failures.push(Failure::of(base(name), &error)),
    };
    let files = entries.iter().filter(|entry| !entry.is_archive);
    for entry in files.clone().take(MOST_ENTRIES) {
        let size = usize::try_from(entry.place.end - entry.place.start).unwrap_or(usize::MAX);
        match archive.open_entry(entry, &ReadOptions::default()) {
            Ok(Some(opened)) => {
                let mut document = Document::new(opened, size);
                document.entry = Some((base(name).to_owned(), entry.path.clone()));
                documents.push(document);
            }
            Ok(None) => {}
            Err(error) => failures.push(Failure::of(&entry.path, &error)),
        }
    }
    let more = files.count().saturating_sub(MOST_ENTRIES);
    if more > 0 {
        let why = format!(
            "it holds {} more than the {MOST_ENTRIES} that are opened; `dopesheet extract` extracts all",
            counted(more, "file")
        );
        failures.push(Failure { name: base(name).to_owned(), why });
    }
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn samples(names: &[&str]) -> Delivery {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in names {
            delivery.add((*name).to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        delivery
    }

    #[test]
    fn a_motion_that_comes_with_its_model_plays_on_it() {
        let mut files = Files::default();
        files.open(samples(&["door.json", "door.model.json"]));
        assert_eq!((files.active, files.model), (0, Some(1)), "{:?}", files.failures);
        let alone = files.shown.as_ref().unwrap().stage.scene().nodes.len();
        assert!(alone > 0 && files.failures.is_empty());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_the_words_of_the_library() {
        let mut files = Files::default();
        let mut delivery = samples(&["walk.vmd"]);
        delivery.add("a/Bad.vmd".into(), Ok(b"Vocaloid Motion Data 0002".to_vec()));
        files.open(delivery);
        assert_eq!(files.documents.len(), 1);
        let [failure] = &files.failures[..] else { panic!("{:?}", files.failures) };
        assert!(failure.name == "Bad.vmd" && failure.why.contains("expected"), "{failure:?}");
    }

    #[test]
    fn a_model_that_has_nothing_of_a_motion_is_not_what_it_plays_on() {
        let mut files = Files::default();
        files.open(samples(&["door.json", "door.model.json"]));
        assert!(files.model_document().is_some());
        files.open(samples(&["walk.vmd"]));
        assert!(files.model == Some(1) && files.model_document().is_none());
        assert!(files.shown.as_ref().unwrap().stage.scene().nodes.len() > 50, "on our own puppet");
    }

    #[test]
    fn an_archive_asks_what_to_open_and_compares_nothing() {
        let mut files = Files::default();
        files.open(samples(&["door.m4b"]));
        assert!(files.failures.is_empty() && files.documents.is_empty() && files.shown.is_none());
        let [offer] = &mut files.offers[..] else { panic!("{:?}", files.offers) };
        let paths: Vec<&str> = offer.entries.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(paths, ["actors/door.ubi", "anims/door/open.ubi", "anims/door/open_slowly.ubi"]);
        assert!(offer.archive == "door.m4b" && !offer.has_choice());
        offer.entries.iter_mut().for_each(|entry| entry.is_chosen = true);
        files.open_chosen();
        let names: Vec<&str> = files.documents.iter().map(|document| document.name()).collect();
        assert_eq!(names, ["door.ubi", "open.ubi", "open_slowly.ubi"]);
        assert_eq!(
            (files.active, files.model, files.other),
            (1, Some(0), None),
            "two motions, but nobody asked"
        );
        assert!(files.offers.is_empty() && files.shown.is_some());
        let (origin, position) = files.documents[2].origin.as_ref().unwrap();
        assert_eq!(read_all(origin).0[*position].name(), "open_slowly.ubi", "a Worker finds it again");
    }

    #[test]
    fn what_is_not_chosen_of_an_archive_stays_closed() {
        let mut files = Files::default();
        files.open(samples(&["walk.vmd", "door.m4b"]));
        assert_eq!((files.documents.len(), files.offers.len()), (1, 1), "what came beside it is open");
        files.open_chosen();
        assert_eq!((files.documents.len(), files.offers.len()), (1, 0));
        files.open(samples(&["door.m4b"]));
        files.offers[0].entries[1].is_chosen = true;
        files.open_chosen();
        assert_eq!(files.document().unwrap().name(), "open.ubi");
    }

    #[test]
    fn pictures_that_did_not_come_along_are_known_by_name() {
        let mut files = Files::default();
        let mut delivery = Delivery::default();
        let model = include_bytes!("../../../../crates/dopesheet/src/standard/standard.pmx");
        delivery.add("model/standard.pmx".into(), Ok(model.to_vec()));
        files.open(delivery);
        assert_eq!(files.document().unwrap().missing, ["standard.png"]);
        assert_eq!(files.missing().collect::<Vec<_>>(), ["standard.png"]);
    }

    #[test]
    fn two_motions_that_come_together_are_compared() {
        let mut files = Files::default();
        files.open(samples(&["walk.vmd", "bow.vmd"]));
        assert_eq!((files.active, files.other), (0, Some(1)));
    }

    #[test]
    fn a_figure_that_comes_to_take_the_motion_is_not_what_it_is_compared_with() {
        let mut files = Files::default();
        let delivery = samples(&["jump.bvh", "character.glb"]);
        files.open(Delivery { figure: Some("figures/character.glb".into()), ..delivery });
        assert_eq!((files.active, files.figure, files.other), (0, Some(1), None));
        files.show(1);
        assert_eq!(files.figure, None, "not onto itself");
    }

    #[test]
    fn a_partner_of_what_was_shown_before_is_let_go() {
        let mut files = Files::default();
        files.open(samples(&["walk.vmd", "bow.vmd"]));
        files.open(samples(&["jump.bvh"]));
        assert_eq!((files.active, files.other), (2, None));
        assert!(files.other_shown.is_none() && files.inputs().unwrap().other.is_none());
    }

    #[test]
    fn files_are_compared_and_closed_in_any_order() {
        let mut files = Files::default();
        files.open(samples(&["walk.vmd", "bow.vmd", "jump.bvh"]));
        files.compare(Some(1));
        assert_eq!(files.other_document().unwrap().name(), "bow.vmd");
        files.compare(Some(0));
        assert_eq!(files.other, None, "not with itself");
        files.compare(Some(2));
        files.close(1);
        assert_eq!((files.active, files.other), (0, Some(1)));
        files.close(0);
        files.close(0);
        files.close(0);
        assert!(files.shown.is_none() && files.documents.is_empty());
    }
}
