//! See `dopesheet_fuzz::read`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dopesheet_fuzz::read(data));
