//! The reason why a file is not read.

use crate::fbx::codes;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// The start of every file.
const START: &str = "the start of a binary or text FBX file";

/// The reason why a file is not read, at the last place reported by the reader.
pub(super) fn fault(error: &ufbx::Error, length: usize, reached: u64) -> Fault {
    use ufbx::ErrorType as Type;
    let (check, expected) = match error.type_ {
        Type::EmptyFile if length == 0 => (codes::EMPTY, "a file with bytes"),
        Type::UnrecognizedFileFormat => (codes::SIGNATURE, START),
        // The reader calls a file empty of which it wanted more than there is.
        Type::TruncatedFile | Type::EmptyFile | Type::Io => (codes::TRUNCATED, "more bytes"),
        Type::MemoryLimit | Type::AllocationLimit | Type::OutOfMemory => {
            (codes::MEMORY, "a file that needs no more memory than the limit")
        }
        Type::NodeDepthLimit => (codes::DEPTH, "nodes nested within the depth limit"),
        Type::UnsupportedVersion => (codes::UNSUPPORTED, "a version that the reader knows"),
        // The reader has no kind of error for this.
        _ if error.description.as_ref() == "Not an FBX file" => (codes::SIGNATURE, START),
        _ => (codes::DAMAGED, "data that follows the format"),
    };
    let position = match check.code {
        code if code == codes::TRUNCATED.code => Place::Byte(ByteOffset(length as u64)),
        code if code == codes::DAMAGED.code && reached > 0 => Place::Byte(ByteOffset(reached)),
        _ => Place::File,
    };
    let description = error.description.as_ref().to_lowercase();
    let finding = match check.code {
        code if code == codes::TRUNCATED.code => format!("the end of the file{}", frame(error)),
        code if code == codes::DAMAGED.code => {
            format!("something that cannot be read (\"{description}\"{})", frame(error))
        }
        _ => format!("{description}{}", frame(error)),
    };
    Fault::new(check.code, position, expected, finding)
}

/// Name of the reader's function at the fault.
fn frame(error: &ufbx::Error) -> String {
    let frames = error.stack.get(..error.stack_size as usize).unwrap_or_default();
    let words = frames.iter().map(|frame| frame.function.as_ref()).find(|words| !words.is_empty());
    words.map_or_else(String::new, |words| format!(", in {words}"))
}
