//! Laws that hold for whatever archives there are.

use dopesheet_core::diag::Report;
use dopesheet_core::format::container::{ContainerLimits, Storage};
use dopesheet_core::format::{Container, Containers, Format, ReadOptions, Source};
use dopesheet_more::M4b;
use dopesheet_more::m4b::Document;
use dopesheet_testkit::read;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(96), ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_is_found_again(files in btree_map("[a-c]{1,2}(/[d-f]{1,2}){0,3}", vec(any::<u8>(), 0..20), 0..12)) {
        let packed = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        let archive = Document::pack(packed).unwrap();
        let bytes = archive.to_bytes().unwrap();
        prop_assert_eq!(&read::<M4b>(&bytes), &archive);
        let mut report = Report::default();
        M4b::check(&archive, &mut report);
        prop_assert!(report.findings.is_empty() || report.findings.iter().all(|f| f.fault.code == "duplicate-entry-name"));
        for (path, content) in &files {
            let place = Containers::new(&[&M4b]).locate(&bytes.as_slice(), path).unwrap();
            let storage = bytes.as_slice();
            let found = storage.bytes(place).unwrap();
            prop_assert_eq!(found.as_ref(), content.as_slice());
        }
    }

    #[test]
    fn any_bytes_behind_the_signature_are_an_error_or_come_back(tail in vec(prop_oneof![3 => 0..4_u8, 1 => any::<u8>()], 0..120)) {
        let mut bytes = b"\x0b\0\0\0UBI_BF_SIG\0\x01\0\0\0".to_vec();
        bytes.extend(tail);
        let mut report = Report::default();
        let document = M4b::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let listing = M4b.list(&bytes.as_slice(), &ContainerLimits::default(), false, &mut report);
        prop_assert_eq!(document.is_ok(), listing.is_ok());
        if let Ok(document) = document {
            prop_assert_eq!(document.to_bytes().unwrap(), bytes.clone());
            M4b::check(&document, &mut report);
        }
        let _ = Containers::new(&[&M4b]).walk(&bytes.as_slice(), &mut |_| Ok(()));
    }
}
