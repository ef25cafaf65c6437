//! A motion put onto another figure: the choices, the job that does it, and the report.

use crate::files::choices::{Choices, Names, PERSON};
use crate::files::document::Document;
use crate::files::incoming::Incoming;
use crate::files::inputs::Inputs;
use crate::files::read_all;
use crate::jobs::writing::PLAYERS;
use crate::jobs::{Job, finished};
use crate::model::stands::Stand;
use crate::work::{Cost, Done, Tone, Work};
use eframe::egui::Context;
use std::sync::Arc;

/// Ids of all settings shown where a figure is chosen.
pub(crate) const SETTINGS: [&str; 9] =
    ["contacts", "hands", "arm-space", "floor", "raise", "vocabulary", PERSON, CLIP, "range"];

/// Id of the setting of the clip.
pub(crate) const CLIP: &str = "clip";

/// Id of the format in which the figure is shown with the motion.
const SHOWN_AS: &str = "glb";

/// Age in seconds from which a job with outdated choices is given up for a new one. A younger job is left to finish, because the
/// program that does the work has the files at hand.
const PATIENCE_S: f64 = 1.0;

/// Files and choices of a fit.
#[derive(Clone, Debug)]
struct Asked {
    inputs: Inputs,
    settings: Vec<(String, String)>,
    names: Names,
}

impl Asked {
    fn is(&self, other: &Self) -> bool {
        self.inputs.are(&other.inputs) && self.settings == other.settings && self.names == other.names
    }
}

/// A motion put onto another figure.
#[derive(Default)]
pub(crate) struct Fitting {
    pub(crate) job: Option<Job>,
    asked: Option<Asked>,
    /// The verdict and the rest of the report, line by line.
    pub(crate) report: Vec<(Tone, String)>,
    /// Stands of the figure.
    pub(crate) stands: Vec<Stand>,
    /// The bone and the time in seconds at which the figure is farthest from the source.
    pub(crate) worst: Option<(String, f64)>,
    /// Bones of limbs that point elsewhere than the source's, and the angles in degrees.
    pub(crate) off: Vec<(String, f64)>,
    pub(crate) cost: Cost,
}

impl Fitting {
    /// The verdict with its numbers.
    pub(crate) fn verdict(&self) -> Option<String> {
        let [(_, verdict), (_, numbers), ..] = self.report.as_slice() else { return None };
        Some(format!("{verdict}; {numbers}"))
    }

    /// Starts to put the motion onto the figure unless it is done or under way: of several clips the one at the position `clip`, unless another
    /// one is chosen. The error is the reason why no job starts.
    pub(crate) fn prepare(
        &mut self,
        context: &Context,
        inputs: Option<Inputs>,
        clip: Option<usize>,
        choices: &Choices,
    ) -> Result<(), String> {
        let Some((inputs, figure)) =
            inputs.and_then(|inputs| inputs.figure.clone().map(|figure| (inputs, figure)))
        else {
            *self = Self::default();
            return Ok(());
        };
        let inputs = Inputs { other: None, ..inputs };
        let shown = clip.filter(|_| choices.get(CLIP).is_none());
        let shown = shown.map(|clip| (CLIP.to_owned(), format!("#{clip}")));
        let chosen = choices.settings().into_iter().filter(|(id, _)| SETTINGS.contains(&&**id));
        let settings = chosen.chain(shown).collect();
        let asked = Asked { inputs, settings, names: choices.names() };
        if self.asked.as_ref().is_some_and(|earlier| earlier.is(&asked))
            || self.job.as_ref().is_some_and(|job| job.seconds() < PATIENCE_S)
        {
            return Ok(());
        }
        let name = format!("{} on {}.{SHOWN_AS}", asked.inputs.document.opened.stem(), figure.opened.stem());
        let work = Work::Convert {
            format: SHOWN_AS.to_owned(),
            variant: None,
            file_name: name.clone(),
            settings: asked.settings.clone(),
            names: asked.names.clone(),
        };
        let inputs = asked.inputs.clone();
        self.asked = Some(asked);
        self.job = None;
        self.job = Some(Job::start(context, "Making", name, &work, inputs)?);
        Ok(())
    }

    /// The figure with the motion, once the job is done. The error is the reason of a failure.
    pub(crate) fn collect(&mut self) -> Result<Option<Document>, String> {
        let Some((job, made)) = finished(&mut self.job) else { return Ok(None) };
        (self.report, self.stands, self.worst, self.off) = Default::default();
        let Done { output, mut said, stands, worst, off, cost, .. } = made?;
        // Nobody takes home the file that is shown.
        said.retain(|(_, text)| !text.contains(PLAYERS));
        (self.report, self.stands, self.worst, self.off, self.cost) = (said, stands, worst, off, cost);
        let bytes = output.ok_or("expected a file, found none")?.main;
        let files: Arc<[Incoming]> = Arc::new([Incoming { name: job.name, bytes }]);
        let (documents, failures) = read_all(&files);
        match (documents.into_iter().next(), failures.into_iter().next()) {
            (Some(mut document), _) => {
                document.origin = Some((files, 0));
                Ok(Some(document))
            }
            (None, failure) => Err(failure.map_or_else(String::new, |failure| failure.why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::files::inbox::Delivery;
    use dopesheet::{ConvertOptions, convert, registry};
    use std::path::Path;
    use std::time::Duration;

    fn files() -> Files {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in ["jump.bvh", "avatar.vrm"] {
            delivery.add(name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut files = Files::default();
        files.open(delivery);
        assert_eq!((files.active, files.documents.len()), (0, 2), "{:?}", files.failures);
        files
    }

    #[test]
    fn a_figure_takes_a_motion_as_the_command_has_it_and_is_shown_beside_it() {
        let (context, mut files, mut fitting) = (Context::default(), files(), Fitting::default());
        files.put_on(Some(1), None);
        fitting.prepare(&context, files.inputs(), None, &Choices::default()).unwrap();
        let fitted = loop {
            match fitting.collect().unwrap() {
                Some(fitted) => break fitted,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert!(fitting.report[0].1.starts_with("good: "), "{:?}", fitting.report);
        let [motion, figure] = [0, 1].map(|index| &files.documents[index].opened);
        let glb = registry::by_id(SHOWN_AS).unwrap();
        let options = ConvertOptions { onto: Some(figure), ..ConvertOptions::to(glb) };
        let converted = convert(&[motion], &options).unwrap();
        assert_eq!(fitted.size, converted.output.main.len());
        files.put_on(Some(1), Some(fitted));
        assert!(files.other_shown.is_some() && files.other.is_none());
        fitting.prepare(&context, files.inputs(), None, &Choices::default()).unwrap();
        assert!(fitting.job.is_none(), "it was done before");
        let mut off = Choices::default();
        off.ask("contacts", Some("off".into()));
        fitting.prepare(&context, files.inputs(), None, &off).unwrap();
        assert!(fitting.job.is_some(), "something else is asked");
        files.close(1);
        assert!(files.figure.is_none() && files.other_shown.is_none());
    }

    #[test]
    fn a_motion_without_a_figure_is_refused_in_words() {
        let (context, mut files, mut fitting) = (Context::default(), files(), Fitting::default());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        delivery.add("door.json".to_owned(), Ok(std::fs::read(folder.join("door.json")).unwrap()));
        files.open(delivery);
        files.put_on(Some(1), None);
        fitting.prepare(&context, files.inputs(), None, &Choices::default()).unwrap();
        let why = loop {
            match fitting.collect() {
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) => panic!("a door is no figure"),
                Err(why) => break why,
            }
        };
        assert!(why.contains("expected a model"), "{why}");
    }
}
