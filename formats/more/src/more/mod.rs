//! MORE: `ubi` resource files with animations, clips and actors of Myst IV: Revelation.
//!
//! A file holds one resource: an [`Animation`](animation::Animation) (`MORE::Animation`), a [`Clip`](clip::Clip)
//! (`MORE::Clip`), an [`ActorModel`](actor::ActorModel) (`MOREActor::ActorModel`), or something else, kept as it is.
//!
//! # As a scene
//!
//! * A track is a [`Track`](dopesheet_core::model::Track) with the same name and number. The property and
//!   node moved by the track follow from its name, or from the names listed in an actor.
//! * Derivatives count as change per segment; derivatives of quaternions are squad controls.
//!   [`Interpretation`] has alternatives.
//! * An actor is a hierarchy of bones with its emitters as further nodes.
//! * A clip is its animations in its time: faster or slower, bent by its warp, mixed by their weights.
//!   [`clip::Clip::local_time`] states the assumptions.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_more::{More, more::{Document, Resource, animation::Animation}};
//!
//! let animation = Animation { duration: 2.0, ..Animation::default() };
//! let document = Document::new(Resource::Animation(animation));
//! let bytes = More::write(&document, &WriteOptions::default())?.main;
//! assert_eq!(More::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?, document);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actor;
pub mod animation;
mod check;
pub mod clip;
mod codes;
mod document;
mod edit;
mod from_scene;
mod info;
mod interpretation;
mod layout;
mod links;
mod notes;
pub mod packed;
mod read;
mod sizes;
mod subject;
mod to_scene;
mod update;
mod wanted;
mod write;

pub use document::{ACTOR, ANIMATION, CLIP, Document, Opaque, Resource, WhyOpaque};
pub use from_scene::skeleton;
pub use interpretation::{Interpretation, TangentUnit};
pub use to_scene::scene;

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Assumable, Assumptions, Capabilities, Format, FormatInfo, Held, Output, ReadOptions, Source, ToScene,
    Variant, WriteOptions,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;
use wanted::Wanted;

/// The format MORE.
#[derive(Clone, Copy, Debug, Default)]
pub struct More;

impl Format for More {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        wanted::storage, info::probe, links::wants, check::check, subject::subject, info::summary,
        from_scene::from_scene, update::update, edit::edit
    }

    fn capabilities(_: &Scene, variant: Option<&str>) -> Capabilities {
        wanted::capabilities(variant)
    }

    fn edits_variants(variant: &str) -> bool {
        Wanted::of(Some(variant)).is_ok_and(|wanted| wanted.is_only_version())
    }

    fn variant_words() -> &'static [Variant] {
        wanted::WORDS
    }

    fn assumable() -> &'static [Assumable] {
        interpretation::ASSUMABLE
    }

    fn assume(document: &mut Document, facts: &Assumptions) -> Result<(), ConvertError> {
        document.assumed = Interpretation::of(facts)?;
        Ok(())
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        links::read(source, options, report)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        write::write(document).map(Output::new).map_err(|fault| WriteError::new(info::ID, *fault))
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        scene(document, options, &document.assumed, report)
    }

    fn held(document: &Document, before: &Scene, scene: &Scene) -> Vec<Vec<Held>> {
        update::held(document, before, scene)
    }
}
