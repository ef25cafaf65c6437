//! NPZ, NPY and pickles: arrays of NumPy, and the motion in them.
//!
//! An archive of named arrays, a single array, or a pickle of either. Archives and arrays are read and
//! written byte for byte, whatever their meaning; the arrays of a pickle are read, but the file is not
//! written back. Files with a motion become scenes.
//!
//! # As a scene
//!
//! Files are recognised by the names of their arrays. Layouts are named as the variants for writing:
//!
//! * `clip`: quaternions (F, J, 4) with names, parents, rate, axes and order, in arrays of our own;
//! * `positions`: places of joints in the model (F, J, 3), with the same further arrays;
//! * `smpl`, `smplh`, `smplx`: rotation vectors `poses` (F, 72), (F, 156) or (F, 165) and `trans`, as in
//!   AMASS: metres, Z up in the world, Y up in the body, which therefore is set upright;
//! * `humanml3d`: places of 22 joints (F, 22, 3), in metres, Y up, 20 frames per second; `features` (F, 263)
//!   are turned into such places when read;
//! * `motionx`, `kimodo`, `isaaclab`: the layouts of these projects; `aist`, `mdm` and `gmr` files are only
//!   read.
//!
//! Facts that a file does not state are not guessed: rate, axes and order are assumed if the caller states
//! them ([`Npz::assumable`]), and without them nothing is converted. Joints known by their positions alone
//! keep these positions; conversion makes rotations of them.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_numpy::{Npz, npz::{Array, Document}};
//!
//! let document = Document::of_arrays([("fps".to_owned(), Array::f64s(&[], [30.0]))]);
//! let bytes = Npz::write(&document, &WriteOptions::default())?.main;
//! let read = Npz::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(read.array("fps").and_then(Array::numbers), Some(vec![30.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod check;
mod codes;
mod document;
mod from_scene;
mod header;
mod info;
mod layout;
mod read;
mod rest;
mod smpl;
mod soma;
mod subject;
mod to_scene;
mod update;
mod view;
mod write;

pub use array::{Array, Dtype, HeaderForm, NumberKind};
pub use document::{
    Archive, Content, Deflated, Descriptor, Document, End, Extra, File, Header, Listed, Local, Member,
    Pickled, Stream, Wide, WideEnd,
};
pub use rest::{STATURE_M, offsets as smpl_offsets};
pub use smpl::{BODY_JOINTS, SmplJoint, joints as smpl_joints};

use crate::RESEARCH;
use dopesheet_core::diag::{ConvertError, Fault, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Assumable, Assumptions, Format, FormatInfo, Output, ReadOptions, Source, WriteOptions, check_length,
};
use dopesheet_core::forward;

/// The format of NumPy's files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Npz;

impl Format for Npz {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, to_scene::to_scene,
        from_scene::from_scene, update::update, info::capabilities
    }

    fn assumable() -> &'static [Assumable] {
        info::ASSUMABLE
    }

    fn read(source: &Source<'_>, options: &ReadOptions, _: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source.main, &options.limits).map_err(|fault| ReadError::new(info::ID, *fault))
    }

    fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
        let bytes = write::document(document, options.file_name.as_deref());
        bytes.map(Output::new).map_err(|fault| WriteError::new(info::ID, fault))
    }

    fn read_only(document: &Document) -> Option<Fault> {
        matches!(document.file, File::Pickle(_)).then(write::refusal)
    }

    fn assume(document: &mut Document, facts: &Assumptions) -> Result<(), ConvertError> {
        info::check_assumptions(facts)?;
        document.assumed = facts.clone();
        Ok(())
    }

    fn edits_variants(_: &str) -> bool {
        false
    }

    fn takes_figure(variant: Option<&str>) -> bool {
        RESEARCH && matches!(variant, Some("features" | "features,npy"))
    }
}
