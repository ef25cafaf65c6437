//! See `dopesheet_fuzz::roundtrip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dopesheet_fuzz::roundtrip(data));
