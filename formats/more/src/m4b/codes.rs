//! Every code that reading and checking may report, with its severity: stated once, here.

use dopesheet_core::codes;
use dopesheet_core::format::container::{
    DUPLICATE_ENTRY_NAME as DUPLICATE, ENTRY_OVERLAP as OVERLAP, NAME_CASE as CASE,
    NESTING_TOO_DEEP as TOO_DEEP, TOO_MANY_ENTRIES as TOO_MANY, UNSAFE_NAME as UNSAFE,
};

codes! {
    BAD_ARCHIVE_VERSION "bad-archive-version" Error
        "The archive's version is not 1."
    BAD_MAGIC "bad-magic" Error
        "The file does not start with the signature of archives."
    COUNT_EXCEEDS_DATA "count-exceeds-data" Error
        "A count announces more files or folders than the rest of the file can hold."
    DUPLICATE_ENTRY_NAME DUPLICATE Warning
        "A folder has two entries of the same name; only the first can be found, and only it is extracted."
    EMPTY_NAME "empty-name" Warning
        "A file or folder has no name."
    ENTRY_OUT_OF_BOUNDS "entry-out-of-bounds" Error
        "The bytes of a file reach past the end of the archive."
    ENTRY_OVERLAP OVERLAP Warning
        "The bytes of a file overlap those of another file, or the index; of files that overlap only the first is extracted."
    FILE_TOO_LONG "file-too-long" Error
        "The file is longer than the limit that the caller set."
    NAME_CASE CASE Warning
        "Two entries of a folder differ only in the case of their letters; only the first is extracted, because there are systems to which case means nothing."
    NESTING_TOO_DEEP TOO_DEEP Error
        "Folders are nested more than 64 levels deep, or archives more than 8 levels."
    STRING_EXCEEDS_DATA "string-exceeds-data" Error
        "The length of a name is more than 1024 bytes, or than the rest of the file."
    TOO_MANY_ENTRIES TOO_MANY Error
        "There are more files and folders than the limit that the caller set."
    TRUNCATED "truncated" Error
        "The file ends in the middle of its index."
    UNSAFE_NAME UNSAFE Error
        "A name would lead out of the folder it is extracted to, or is special on some system; it is not extracted."
}
