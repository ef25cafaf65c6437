//! Operations on an open file: the job, its result, and the report.

use crate::files::choices::{Change, Choices};
use crate::files::document::{Document, Edited};
use crate::files::incoming::Incoming;
use crate::files::inputs::Inputs;
use crate::files::{Files, read_all};
use crate::jobs::{Job, finished};
use crate::work::{Done, Tone, Work};
use eframe::egui::Context;
use std::sync::Arc;

/// Operations on an open file.
#[derive(Default)]
pub(crate) struct Editing {
    pub(crate) job: Option<Job>,
    /// The operations of the job.
    changes: Vec<Change>,
    /// The report of the last job, line by line.
    pub(crate) report: Vec<(Tone, String)>,
}

impl Editing {
    /// Starts a job with all operations on a file as it was opened. The error is the reason of a failure to start.
    pub(crate) fn start(
        &mut self,
        context: &Context,
        document: &Arc<Document>,
        changes: Vec<Change>,
    ) -> Result<(), String> {
        let original = match &document.edited {
            Some(edited) => Arc::clone(&edited.original),
            None => Arc::clone(document),
        };
        let name = original.name().to_owned();
        let inputs = Inputs { document: original, model: None, other: None, figure: None };
        self.job = None;
        self.job =
            Some(Job::start(context, "Changing", name, &Work::Edit { changes: changes.clone() }, inputs)?);
        self.changes = changes;
        Ok(())
    }

    /// Brings a file to the state in the choices, if its state differs. True if no job is needed.
    pub(crate) fn prepare(
        &mut self,
        context: &Context,
        files: &mut Files,
        choices: &Choices,
    ) -> Result<bool, String> {
        if self.job.is_some() {
            return Ok(false);
        }
        let differs = |document: &Arc<Document>| document.changes() != choices.of(document.file_serial());
        let Some(index) = files.documents.iter().position(differs) else { return Ok(false) };
        let document = Arc::clone(&files.documents[index]);
        match (choices.of(document.file_serial()), &document.edited) {
            ([], Some(edited)) => {
                self.report.clear();
                files.replace(index, Arc::clone(&edited.original));
                Ok(true)
            }
            (changes, _) => self.start(context, &document, changes.to_vec()).map(|()| false),
        }
    }

    /// Replaces the open file by the result of a finished job, and notes the operations in the choices. True after a finished job; the error
    /// is the reason of a failure.
    pub(crate) fn collect(&mut self, files: &mut Files, choices: &mut Choices) -> Result<bool, String> {
        let Some((job, result)) = finished(&mut self.job) else { return Ok(false) };
        let original = job.inputs.document;
        let Some(index) = files.of_serial(original.serial) else { return Ok(false) };
        let kept = files.documents[index].changes().to_vec();
        let document = result.and_then(|done| self.read(done, original));
        let changes = document.as_ref().map_or(kept, |document| document.changes().to_vec());
        choices.changes.insert(files.documents[index].file_serial(), changes);
        files.replace(index, Arc::new(document?));
        Ok(true)
    }

    /// The document read from the bytes of a finished job.
    fn read(&mut self, done: Done, original: Arc<Document>) -> Result<Document, String> {
        self.report = done.said;
        let output = done.output.ok_or("expected a file, found none")?;
        let main = Incoming { name: original.opened.name.clone(), bytes: output.main };
        let parts = output.resources.into_iter().map(|(name, bytes)| Incoming { name, bytes });
        let files: Arc<[Incoming]> = std::iter::once(main).chain(parts).collect();
        let (documents, failures) = read_all(&files);
        let Some(mut document) = documents.into_iter().next() else {
            return Err(failures.into_iter().next().map_or_else(String::new, |failure| failure.why));
        };
        document.origin = Some((files, 0));
        document.edited = Some(Edited { original, changes: std::mem::take(&mut self.changes) });
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::inbox::Delivery;
    use std::path::Path;
    use std::time::Duration;

    fn opened(name: &str) -> Files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
        let mut delivery = Delivery::default();
        delivery.add(name.to_owned(), Ok(std::fs::read(path).unwrap()));
        let mut files = Files::default();
        files.open(delivery);
        files
    }

    fn wait(editing: &mut Editing, files: &mut Files, choices: &mut Choices) -> Result<(), String> {
        while !editing.collect(files, choices)? {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    #[test]
    fn an_operation_changes_the_open_file_and_is_taken_back_to_the_byte() {
        let (context, mut files, mut choices) = (Context::default(), opened("walk.vmd"), Choices::default());
        let mut editing = Editing::default();
        let original = Arc::clone(&files.documents[0]);
        let trim = ("trim".to_owned(), r#"{"range":"0.5:1"}"#.to_owned());
        editing.start(&context, &original, vec![trim.clone()]).unwrap();
        wait(&mut editing, &mut files, &mut choices).unwrap();
        let edited = Arc::clone(&files.documents[0]);
        assert_eq!(edited.info().as_ref().unwrap().clips[0].duration_s, 0.5);
        assert_eq!((edited.changes(), choices.of(original.serial)), (&[trim.clone()][..], &[trim][..]));
        assert!(edited.name() == "walk.vmd" && edited.serial != original.serial);
        choices.changes.clear();
        assert!(editing.prepare(&context, &mut files, &choices).unwrap());
        assert!(Arc::ptr_eq(&files.documents[0], &original), "the file as it was opened");
    }

    #[test]
    fn an_operation_that_makes_no_sense_leaves_the_file_and_says_why() {
        let (context, mut files, mut choices) = (Context::default(), opened("walk.vmd"), Choices::default());
        let mut editing = Editing::default();
        let original = Arc::clone(&files.documents[0]);
        editing.start(&context, &original, vec![("trim".into(), r#"{"range":"soon"}"#.into())]).unwrap();
        let why = wait(&mut editing, &mut files, &mut choices).unwrap_err();
        assert!(why.contains("trim: range: expected"), "{why}");
        assert!(Arc::ptr_eq(&files.documents[0], &original) && choices.of(original.serial).is_empty());
    }
}
