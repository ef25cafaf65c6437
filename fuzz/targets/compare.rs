//! See `dopesheet_fuzz::diff`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dopesheet_fuzz::diff(data));
