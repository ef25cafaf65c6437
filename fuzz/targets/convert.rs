//! See `dopesheet_fuzz::convert`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dopesheet_fuzz::convert(data));
