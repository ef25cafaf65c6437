//! See `dopesheet_fuzz::edit`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dopesheet_fuzz::edit(data));
