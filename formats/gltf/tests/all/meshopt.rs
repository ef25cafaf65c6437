//! The codec of compressed buffer views.
//!
//! `meshopt/streams.jsonl` was made by encoding numbers with meshoptimizer 1.3.0 (its WebAssembly build, as published
//! on npm) and decoding the streams with the same; every line is a stream and what it holds.

use crate::common::keep;
use dopesheet_gltf::meshopt::{Filter, Layout, Mode, Version, decode, encode, multiples, quaternions};
use dopesheet_testkit::rotation_angle;
use proptest::prelude::*;
use serde_json::{Value, json};

const STREAMS: &str = include_str!("meshopt/streams.jsonl");

struct Golden {
    name: String,
    layout: Layout,
    stream: Vec<u8>,
    elements: Vec<u8>,
}

fn golden() -> Vec<Golden> {
    let streams: Vec<Golden> = STREAMS.lines().map(parsed).collect();
    assert_eq!(streams.len(), 15);
    streams
}

fn parsed(line: &str) -> Golden {
    let line: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| line[name].as_str().unwrap_or("NONE");
    let hex = |name: &str| -> Vec<u8> {
        let digits = text(name).as_bytes().chunks_exact(2);
        digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
    };
    let layout = Layout {
        mode: Mode::from_word(text("mode")).unwrap(),
        filter: Filter::from_word(text("filter")).unwrap(),
        count: line["count"].as_u64().unwrap(),
        stride: line["stride"].as_u64().unwrap(),
    };
    Golden { name: text("name").into(), layout, stream: hex("stream"), elements: hex("elements") }
}

fn attributes(filter: Filter, count: usize, stride: usize) -> Layout {
    Layout { mode: Mode::Attributes, filter, count: count as u64, stride: stride as u64 }
}

/// The largest difference between normalised integers of the two sides, which the specification allows to be 1.
fn units_apart(a: &[u8], b: &[u8], stride: usize) -> i32 {
    assert_eq!(a.len(), b.len());
    let numbers = |bytes: &[u8]| -> Vec<i32> {
        match stride {
            4 => bytes.iter().map(|byte| i32::from(*byte)).collect(),
            _ => bytes.chunks_exact(2).map(|two| i32::from(u16::from_le_bytes([two[0], two[1]]))).collect(),
        }
    };
    let whole = if stride == 4 { 256 } else { 65536 };
    let apart = |(a, b): (i32, i32)| (a - b).rem_euclid(whole).min((b - a).rem_euclid(whole));
    numbers(a).into_iter().zip(numbers(b)).map(apart).max().unwrap_or(0)
}

#[test]
fn streams_of_another_encoder_are_decoded() {
    for Golden { name, layout, stream, elements } in golden() {
        let found = decode(&stream, &layout).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        match layout.filter {
            Filter::None | Filter::Exponential => assert_eq!(found, elements, "{name}"),
            _ => {
                let stride = usize::try_from(layout.stride).unwrap();
                assert!(units_apart(&found, &elements, stride) <= 1, "{name}");
            }
        }
    }
}

#[test]
fn the_example_of_the_specification() {
    // One group of 16 differences with 4 bits each and two that need a byte; three groups of zeros beside it.
    let mut stream = vec![0xa0, 0x02, 0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5, 0, 0, 0];
    stream.extend([0; 32]);
    let found = decode(&stream, &attributes(Filter::None, 16, 4)).unwrap();
    let differences = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let mut sum = 0i8;
    for (element, difference) in found.chunks_exact(4).zip(differences) {
        sum = sum.wrapping_add(difference);
        assert_eq!(element, [sum.cast_unsigned(), 0, 0, 0]);
    }
}

#[test]
fn every_prefix_and_every_longer_stream_is_refused() {
    for Golden { name, layout, stream, .. } in golden() {
        for end in 0..stream.len() {
            let cut = decode(&stream[..end], &layout);
            assert!(cut.is_err(), "{name} cut at {end}");
        }
        for extra in [0, 1, 0xff] {
            let longer: Vec<u8> = stream.iter().copied().chain([extra]).collect();
            assert!(decode(&longer, &layout).is_err(), "{name} with {extra} behind it");
        }
    }
}

#[test]
fn every_flipped_bit_is_an_answer_of_the_announced_length() {
    for Golden { layout, stream, elements, .. } in golden() {
        for bit in 0..stream.len() * 8 {
            let mut flipped = stream.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(found) = decode(&flipped, &layout) {
                assert_eq!(found.len(), elements.len());
            }
        }
    }
}

#[test]
fn a_short_stream_cannot_ask_for_much_memory() {
    let mut stream = vec![0xa1];
    stream.extend([0xaa; 3]);
    stream.extend([0; 24]);
    for count in [1 << 20, u64::MAX / 16, u64::MAX] {
        let layout = Layout { mode: Mode::Attributes, filter: Filter::None, count, stride: 12 };
        let fault = decode(&stream, &layout).unwrap_err().to_string();
        assert!(fault.contains("expected at least"), "{fault}");
        for mode in [Mode::Triangles, Mode::Indices] {
            assert!(decode(&stream, &Layout { mode, stride: 4, ..layout }).is_err());
            stream[0] = 0xd1;
        }
        stream[0] = 0xa1;
    }
}

#[test]
fn layouts_that_no_stream_has_are_refused() {
    let stream = &golden()[0].stream;
    for (mode, filter, count, stride) in [
        (Mode::Attributes, Filter::None, 1, 0),
        (Mode::Attributes, Filter::None, 1, 6),
        (Mode::Attributes, Filter::None, 1, 260),
        (Mode::Attributes, Filter::Quaternion, 1, 4),
        (Mode::Attributes, Filter::Octahedral, 1, 12),
        (Mode::Attributes, Filter::Color, 1, 16),
        (Mode::Triangles, Filter::None, 4, 2),
        (Mode::Triangles, Filter::None, 3, 8),
        (Mode::Indices, Filter::Exponential, 3, 4),
    ] {
        assert!(decode(stream, &Layout { mode, filter, count, stride }).is_err());
    }
}

/// Elements that look like motion: steps, lines, noise, and nothing at all.
fn lifelike(count: usize, stride: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    let number = |n: usize, k: usize, noise: u32| match k % 4 {
        0 => (n as f32 * 0.033).to_bits(),
        1 => (n as f32 * 0.1).sin().to_bits(),
        2 => 0,
        _ => noise,
    };
    let numbers = (0..count).flat_map(|n| (0..stride / 4).map(move |k| (n, k)));
    numbers.flat_map(|(n, k)| number(n, k, noise()).to_le_bytes()).collect()
}

#[test]
fn what_is_encoded_comes_back_whatever_its_size() {
    let mut lines = String::new();
    let mut seen = 0;
    for stride in [4, 8, 12, 16, 36, 256] {
        for count in [1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000] {
            let elements = lifelike(count, stride, 7);
            for version in [Version::V0, Version::V1] {
                let stream = encode(&elements, stride, version);
                let layout = attributes(Filter::None, count, stride);
                assert_eq!(decode(&stream, &layout).unwrap(), elements, "{count} × {stride} {version:?}");
                let line = json!({"count": count, "stride": stride, "stream": stream, "elements": elements});
                lines.push_str(&format!("{line}\n"));
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 144);
    keep("streams.jsonl", lines.as_bytes());
}

#[test]
fn equal_elements_cost_next_to_nothing() {
    let elements = [1, 2, 3, 4].repeat(25_600);
    assert_eq!(encode(&elements, 4, Version::V1).len(), 1 + 100 + 24);
    assert_eq!(encode(&elements, 4, Version::V0).len(), 1 + 100 * 16 + 32);
}

fn unit() -> impl Strategy<Value = [f32; 4]> {
    proptest::array::uniform4(-1.0f32..1.0).prop_filter_map("a direction", |q| {
        let length = q.iter().map(|x| x * x).sum::<f32>().sqrt();
        (length > 0.1).then(|| q.map(|x| x / length))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: dopesheet_testkit::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_elements_come_back(words in proptest::collection::vec(any::<u32>(), 0..900), stride in 1usize..9) {
        let stride = stride * 4;
        let elements: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let elements = &elements[..elements.len() / stride * stride];
        for version in [Version::V0, Version::V1] {
            let layout = attributes(Filter::None, elements.len() / stride, stride);
            prop_assert_eq!(&decode(&encode(elements, stride, version), &layout).unwrap(), elements);
        }
    }

    /// Rounding to 16 bits twice: 6.1e-5 rad for what comes out, 7.5e-5 rad for what goes in.
    #[test]
    fn filtered_quaternions_stay_within_their_bound(q in unit()) {
        let stream = encode(&quaternions(&[q]), 8, Version::V0);
        let found = decode(&stream, &attributes(Filter::Quaternion, 1, 8)).unwrap();
        let number = |n: usize| f64::from(i16::from_le_bytes([found[2 * n], found[2 * n + 1]])) / 32767.0;
        let found = [number(0), number(1), number(2), number(3)];
        let length = found.iter().map(|x| x * x).sum::<f64>().sqrt();
        let angle = rotation_angle(found.map(|x| x / length), q.map(f64::from));
        prop_assert!(angle < 1.37e-4, "{}", angle);
    }

    #[test]
    fn filtered_numbers_are_the_nearest_multiples(
        values in proptest::collection::vec(prop_oneof![-16.5f32..16.5, -1e-6f32..1e-6, Just(0.0), Just(f32::NAN)], 1..9),
        exponent in -30i8..4,
    ) {
        let unit = f64::from(exponent).exp2();
        let fits = |value: &f32| (f64::from(*value) / unit).round().abs() < f64::from(1 << 23);
        let elements = multiples(&values, exponent);
        prop_assert_eq!(elements.is_some(), values.iter().all(fits));
        if let Some(elements) = elements {
            let stream = encode(&elements, 4, Version::V1);
            let found = decode(&stream, &attributes(Filter::Exponential, values.len(), 4)).unwrap();
            for (value, bytes) in values.iter().zip(found.chunks_exact(4)) {
                let found = f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
                prop_assert!((found - f64::from(*value)).abs() <= unit / 2.0, "{} became {}", value, found);
                prop_assert_eq!((found / unit).fract(), 0.0);
            }
        }
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0u64..400) {
        for first in [0xa0, 0xa1, 0xd1, 0xe1] {
            let stream: Vec<u8> = [first].into_iter().chain(bytes.iter().copied()).collect();
            for (mode, stride) in [(Mode::Attributes, 8), (Mode::Triangles, 4), (Mode::Indices, 2)] {
                let _ = decode(&stream, &Layout { mode, filter: Filter::None, count, stride });
            }
        }
    }
}
