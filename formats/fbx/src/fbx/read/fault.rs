//! The reason why a file is not read.

use super::cycle;
use super::encryption::HEAD;
use super::limits;
use super::numbers::stored_number;
use super::records::{each_record, last_object};
use crate::fbx::codes;
use crate::fbx::info::{BINARY, version};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// The start of every file.
const START: &str = "the start of a binary or text FBX file";

/// The reason why a file is not read, with the number of bytes read by the last report of the reader.
pub(super) fn fault(error: &ufbx::Error, bytes: &[u8], reached: u64) -> Fault {
    use ufbx::ErrorType as Type;
    // The reader has no kind of error for this.
    if error.description.as_ref() == "Cyclic node hierarchy" {
        return of_cycle(bytes);
    }
    let length = bytes.len();
    let (check, expected): (_, Cow<'static, str>) = match error.type_ {
        Type::EmptyFile if length == 0 => (codes::EMPTY, "a file with bytes".into()),
        Type::UnrecognizedFileFormat => (codes::SIGNATURE, START.into()),
        // The reader calls a file empty of which it wanted more than there is.
        Type::TruncatedFile | Type::EmptyFile | Type::Io => (codes::TRUNCATED, "more bytes".into()),
        Type::MemoryLimit | Type::AllocationLimit | Type::OutOfMemory => (
            codes::MEMORY,
            format!("a file that needs at most {} MiB of memory", limits::memory(length) >> 20).into(),
        ),
        Type::NodeDepthLimit => {
            (codes::DEPTH, format!("nodes nested at most {} deep", limits::NODE_DEPTH).into())
        }
        Type::UnsupportedVersion => (codes::UNSUPPORTED, "a version that the reader knows".into()),
        // The reader has no kind of error for this.
        _ if error.description.as_ref() == "Not an FBX file" => (codes::SIGNATURE, START.into()),
        _ if is_cut(bytes) => (codes::TRUNCATED, "more bytes".into()),
        _ => (codes::DAMAGED, "data that follows the format".into()),
    };
    // A missing section is looked for to the end of the file, and the reader counts on.
    let is_place = (1..length as u64).contains(&reached);
    let position = match check.code {
        code if code == codes::TRUNCATED.code => Place::Byte(ByteOffset(length as u64)),
        code if [codes::DAMAGED.code, codes::MEMORY.code].contains(&code) && is_place => {
            Place::Byte(ByteOffset(reached))
        }
        _ => Place::File,
    };
    let description = error.description.as_ref().to_lowercase();
    let finding = match check.code {
        code if code == codes::TRUNCATED.code => format!("the end of the file{}", frame(error)),
        // The reader has no description for most faults.
        code if code == codes::DAMAGED.code => {
            let words = format!(" (\"{description}\"{})", frame(error));
            let words = Some(words).filter(|_| description != "failed to load").unwrap_or_default();
            format!("something that cannot be read{words}{}", origin(bytes))
        }
        _ => format!("{description}{}", frame(error)),
    };
    let reached = usize::try_from(reached).ok().filter(|_| is_place && check == codes::DAMAGED);
    let path = reached.and_then(|reached| last_object(bytes.get(..reached)?)).unwrap_or_default();
    Fault::new(check.code, position, expected, finding).at_path(path)
}

/// Version and program of a file, and the way out of a fault: what one program wrote, others may read.
fn origin(bytes: &[u8]) -> String {
    let (mut number, mut program) = (None, "an unknown program".to_owned());
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    each_record(head, "FBXVersion", &mut |values| number = values.first().and_then(|word| word.parse().ok()));
    each_record(head, "Creator", &mut |values| program = values.first().unwrap_or(&program).clone());
    let number = if bytes.starts_with(BINARY) { stored_number(bytes, BINARY.len() + 2) } else { number };
    let Some(version) = number.map(version) else { return String::new() };
    format!(", in a file of version {version} by {program}; open it in a current program and save it again")
}

/// True of a text with an open brace at its end, and of a binary file with a record that ends behind the file.
fn is_cut(bytes: &[u8]) -> bool {
    if !bytes.starts_with(BINARY) {
        let is_outside = {
            let mut is_quoted = false;
            move |byte: &&u8| {
                is_quoted ^= **byte == b'"';
                !is_quoted
            }
        };
        let mut depth = 0i64;
        bytes.iter().filter(is_outside).for_each(|byte| match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        });
        return depth > 0;
    }
    let mut at = BINARY.len() + 2 + 4;
    // The first number of a record is the byte behind it; in wide files the upper half of that number is 0.
    while let Some(end) = stored_number(bytes, at).map(|end| end as usize).filter(|end| *end > at) {
        if end > bytes.len() {
            return true;
        }
        at = end;
    }
    false
}

/// A node among its own ancestors.
fn of_cycle(bytes: &[u8]) -> Fault {
    let names: Vec<String> =
        cycle::names(bytes).into_iter().flatten().map(|name| format!("{name:?}")).collect();
    let found = match names.is_empty() {
        true => "a cycle".to_owned(),
        false => names.join(" below "),
    };
    let path = names.first().map_or_else(String::new, |name| format!("node {name}"));
    let expected = "nodes that are not below themselves";
    Fault::new(codes::CYCLE.code, Place::File, expected, found).at_path(path)
}

/// Name of the reader's function at the fault.
fn frame(error: &ufbx::Error) -> String {
    let frames = error.stack.get(..error.stack_size as usize).unwrap_or_default();
    let words = frames.iter().map(|frame| frame.function.as_ref()).find(|words| !words.is_empty());
    words.map_or_else(String::new, |words| format!(", in {words}"))
}
