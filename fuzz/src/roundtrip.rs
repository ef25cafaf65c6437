//! The law of identity.

use crate::{is_written_back, open, read_again, readings};
use dopesheet::Opened;
use dopesheet::core::diag::WriteError;
use dopesheet::core::format::{Output, WriteOptions};

/// Bytes that are read strictly are written back byte for byte, and read alike by a lenient reader, unless their document is read only:
/// then they are refused. Those that only a lenient reader
/// takes is refused by the writer, or written as something that this reader takes, too, and that stays as it is from
/// then on.
pub fn roundtrip(data: &[u8]) {
    for (opened, lenient) in readings(data) {
        let id = opened.format().info().id;
        if !is_written_back(&opened) {
            assert!(write(&opened).is_err(), "{id}: a document that is read only is written");
        } else if !lenient {
            let output = written(&opened);
            assert!(output.main == data, "{id}: the file has changed");
            let unchanged = output.resources.iter().all(|(_, bytes)| bytes == data);
            assert!(unchanged, "{id}: a file that it names has changed");
            let lenient = open(opened.format(), data, true);
            let lenient = lenient.unwrap_or_else(|e| panic!("{id}: only a lenient reader says: {e}"));
            assert!(written(&lenient).main == data, "{id}: a lenient reader changed a sound file");
        } else if let Ok(once) = write(&opened) {
            let twice = written(&read_again(opened.format(), &once, true));
            assert!(twice == once, "{id}: it changes once more");
        }
    }
}

fn write(opened: &Opened) -> Result<Output, WriteError> {
    opened.format().write(&opened.document, &WriteOptions::default())
}

fn written(opened: &Opened) -> Output {
    write(opened).unwrap_or_else(|error| panic!("what was read is not written: {error}"))
}
