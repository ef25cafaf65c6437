//! Pictures beside a model: which are asked for, and what becomes of them.

use crate::pmx::bytes::{File, MATERIALS, Of, PLAIN, TEXTURES, material, record};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene, WriteOptions};
use dopesheet_core::model::{AlphaMode, Scene};
use dopesheet_mmd::Pmx;
use image::{DynamicImage, ImageFormat, RgbaImage};
use std::collections::BTreeMap;
use std::io::Cursor;

/// A model whose only material has a picture of this name.
fn model(path: &str) -> Vec<u8> {
    File::small().replacing(TEXTURES, 0, record(PLAIN, |r| r.text(path))).done()
}

fn convert(path: &str, picture: Option<Vec<u8>>) -> (Scene, Report) {
    let main = model(path);
    let [name] = Pmx::wants(&main).try_into().unwrap();
    let resources = picture.map(|bytes| (name, bytes)).into_iter().collect();
    let mut report = Report::default();
    let document =
        Pmx::read(&Source { main: &main, resources }, &ReadOptions::default(), &mut report).unwrap();
    assert_eq!(
        Pmx::write(&document, &WriteOptions::default()).unwrap().main,
        main,
        "pictures are no part of the file"
    );
    let scene = Pmx::to_scene(&document, &ToScene::default(), &mut report).unwrap();
    (scene, report)
}

/// Four texels of one colour with the given alphas.
fn texels(alphas: [u8; 4]) -> DynamicImage {
    let texels = alphas.into_iter().flat_map(|alpha| [200, 100, 50, alpha]).collect();
    DynamicImage::ImageRgba8(RgbaImage::from_raw(2, 2, texels).unwrap())
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn only_colour_pictures_inside_the_folder_are_asked_for() {
    let paths = ["tex\\face.bmp", "C:\\body.png", "..\\up.png", "tex/face.bmp", "sphere.spa", "/root.png"];
    let mut file = File::small();
    file.sections[TEXTURES] = paths.iter().map(|path| record(PLAIN, |r| r.text(path))).collect();
    let with = |texture| {
        material(PLAIN, 0, move |r| {
            r.at(Of::Texture, texture).at(Of::Texture, 4).u8(2).u8(0).at(Of::Texture, 4)
        })
    };
    file.sections[MATERIALS] = (-1..7).map(with).collect();
    file.sections[MATERIALS].remove(5);
    assert_eq!(Pmx::wants(&file.done()), ["tex/face.bmp"]);
    assert_eq!(Pmx::wants(&file.done()[..40]), Vec::<String>::new(), "a damaged file asks for nothing");
}

#[test]
fn png_and_jpeg_are_passed_on_byte_for_byte() {
    let png = encoded(&texels([255; 4]), ImageFormat::Png);
    let jpeg = encoded(&texels([255; 4]).into_rgb8().into(), ImageFormat::Jpeg);
    for (path, bytes, media_type) in
        [("a.png", &png, "image/png"), ("a.jpg", &jpeg, "image/jpeg"), ("b.spa", &jpeg, "image/jpeg")]
    {
        let (scene, _) = convert(path, Some(bytes.clone()));
        let [image] = scene.images.as_slice() else { panic!("one picture") };
        assert_eq!((image.name.as_str(), image.media_type, &image.bytes[..]), (path, media_type, &bytes[..]));
        assert_eq!(scene.materials[0].base_color_image.unwrap().image.0, 0);
    }
}

#[test]
fn other_formats_become_png_of_the_same_texels() {
    let picture = texels([255, 255, 0, 255]);
    for (path, format) in
        [("a.bmp", ImageFormat::Bmp), ("a.TGA", ImageFormat::Tga), ("b.sph", ImageFormat::Bmp)]
    {
        let (scene, _) = convert(path, Some(encoded(&picture, format)));
        let [image] = scene.images.as_slice() else { panic!("one picture of {path}") };
        assert_eq!(image.media_type, "image/png");
        let back = image::load_from_memory_with_format(&image.bytes, ImageFormat::Png).unwrap();
        assert_eq!(back.to_rgba8(), picture.to_rgba8(), "{path}");
    }
}

/// DXT1 of one block: red in all sixteen texels.
fn red_dds() -> Vec<u8> {
    let mut dds = vec![0; 128];
    dds[..4].copy_from_slice(b"DDS ");
    for (at, value) in [(4, 124_u32), (8, 0x1007), (12, 4), (16, 4), (76, 32), (80, 4), (108, 0x1000)] {
        dds[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    dds[84..88].copy_from_slice(b"DXT1");
    dds.extend([0x00, 0xf8, 0x00, 0x00, 0, 0, 0, 0]);
    dds
}

#[test]
fn a_dds_picture_becomes_png() {
    let (scene, report) = convert("a.dds", Some(red_dds()));
    let [image] = scene.images.as_slice() else { panic!("{report:?}") };
    let back = image::load_from_memory_with_format(&image.bytes, ImageFormat::Png).unwrap().to_rgba8();
    assert_eq!((back.dimensions(), back.get_pixel(3, 3).0), ((4, 4), [255, 0, 0, 255]));
}

#[test]
fn a_picture_that_is_cut_or_changed_anywhere_is_decoded_or_lost() {
    let picture = texels([255, 255, 0, 255]);
    let pictures = [
        ("a.png", encoded(&picture, ImageFormat::Png)),
        ("a.bmp", encoded(&picture, ImageFormat::Bmp)),
        ("a.tga", encoded(&picture, ImageFormat::Tga)),
        ("a.jpg", encoded(&picture.into_rgb8().into(), ImageFormat::Jpeg)),
        ("a.dds", red_dds()),
    ];
    for (name, bytes) in pictures {
        let cut = (0..bytes.len()).map(|end| bytes[..end].to_vec());
        let changed = (0..bytes.len()).flat_map(|at| {
            [0x01, 0x80, 0xff].map(|mask| {
                let mut changed = bytes.clone();
                changed[at] ^= mask;
                changed
            })
        });
        let mut decoded = 0;
        for damaged in cut.chain(changed) {
            let (scene, report) = convert(name, Some(damaged));
            decoded += scene.images.len();
            assert_eq!(
                scene.images.is_empty(),
                losses(&report).contains(name),
                "{name}: {}",
                losses(&report)
            );
        }
        assert!(decoded > 0, "{name}: a changed colour is a picture");
    }
}

#[test]
fn the_alpha_of_the_texels_decides_how_a_material_is_drawn() {
    for (alphas, mode) in [
        ([255, 255, 255, 255], AlphaMode::Opaque),
        ([255, 0, 255, 0], AlphaMode::Mask(0.5)),
        ([255, 0, 254, 255], AlphaMode::Blend),
    ] {
        let (scene, _) = convert("a.png", Some(encoded(&texels(alphas), ImageFormat::Png)));
        assert_eq!(scene.materials[0].alpha, mode, "{alphas:?}");
    }
}

fn losses(report: &Report) -> String {
    let dropped = report.losses.iter().filter_map(|loss| match loss {
        Loss::Dropped { what, why } => Some(format!("{what}: {why}")),
        _ => None,
    });
    dropped.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_picture_that_cannot_be_had_is_a_loss_and_no_more() {
    let mut huge = encoded(&texels([255; 4]), ImageFormat::Bmp);
    huge[18..26].copy_from_slice(&[0xff, 0x7f, 0, 0, 0xff, 0x7f, 0, 0]);
    let png = encoded(&texels([255; 4]), ImageFormat::Png);
    let cases: BTreeMap<_, _> = [
        ("1 missing.png", None),
        ("2 text.png", Some(b"no picture".to_vec())),
        ("3 cut.png", Some(png[..40].to_vec())),
        ("4 huge.bmp", Some(huge)),
        ("5 empty.tga", Some(Vec::new())),
        ("6 gif.png", Some(b"GIF89a\x01\x00\x01\x00\x00\x00\x00".to_vec())),
    ]
    .into();
    let mut text = String::new();
    for (path, picture) in cases {
        let (scene, report) = convert(path, picture);
        assert_eq!((scene.images.len(), scene.materials[0].base_color_image), (0, None), "{path}");
        text += &format!("{}\n", losses(&report));
    }
    insta::assert_snapshot!(text);
}
