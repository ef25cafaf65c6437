//! Pictures of materials: within the file, beside it, and those that a scene has no place for.

use crate::fbx::chain::{self, moves, object, on};
use crate::fbx::fixtures::edited;
use crate::fbx::records::{self, Record, leaf};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_core::model::{AlphaMode, ImageIndex, MaterialImage, NormalMap, Scene};
use dopesheet_fbx::Fbx;

/// The first picture, on the first set of texture coordinates.
const FIRST: MaterialImage = MaterialImage { image: ImageIndex(0), uv_set: 0 };

/// A texel of red as TGA.
pub(crate) const RED_TGA: &str = "AAACAAAAAAAAAAAAAQABABgAAAD/";
/// A texel of red that lets half of the light through, as TGA.
pub(crate) const GLASS_TGA: &str = "AAACAAAAAAAAAAAAAQABACAIAAD/gA==";

/// The face with a material whose texture is a file, with the content of that file where it is not empty, and which is used for some
/// properties.
pub(crate) fn face(relative: &str, absolute: &str, content: &str, properties: &[&str]) -> Vec<u8> {
    let names =
        || vec![leaf("FileName", vec![absolute.into()]), leaf("RelativeFilename", vec![relative.into()])];
    let held = (!content.is_empty()).then(|| leaf("Content", vec![content.into()]));
    let video = [vec![leaf("Type", vec!["Clip".into()])], names(), held.into_iter().collect()].concat();
    let all = edited(chain::face(), "Objects", |all: &mut Vec<Record>| {
        all.push(object(
            "Material",
            30,
            "Skin",
            "Material",
            "",
            vec![leaf("ShadingModel", vec!["phong".into()])],
        ));
        all.push(object("Texture", 31, "Colours", "Texture", "", names()));
        all.push(object("Video", 32, "Colours", "Video", "Clip", video));
    });
    let all = edited(all, "Connections", |all| {
        all.extend([on(30, 3), on(32, 31)]);
        all.extend(properties.iter().map(|property| moves(31, 30, property)));
    });
    records::text(&all)
}

fn scene(bytes: &[u8], beside: &[(&str, &[u8])]) -> (Scene, Report) {
    let mut source = Source::new(bytes);
    source.resources.extend(beside.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())));
    let mut report = Report::default();
    let document = Fbx::read(&source, &ReadOptions::default(), &mut report).unwrap();
    let scene = Fbx::to_scene(&document, &Default::default(), &mut report).unwrap();
    (scene, report)
}

fn dropped(report: &Report) -> Vec<String> {
    let what = |loss: &Loss| match loss {
        Loss::Dropped { what, .. } => Some(what.clone()),
        _ => None,
    };
    report.losses.iter().filter_map(what).collect()
}

#[test]
fn an_embedded_tga_becomes_png() {
    let (scene, report) = scene(&face("red.tga", "", RED_TGA, &["DiffuseColor"]), &[]);
    assert_eq!(scene.materials[0].base_color_image, Some(FIRST));
    let image = &scene.images[0];
    assert_eq!((image.media_type, image.name.as_str()), ("image/png", "Colours"));
    assert!(image.bytes.starts_with(b"\x89PNG"));
    assert_eq!(dropped(&report), [""; 0]);
}

#[test]
fn pictures_beside_the_file_are_asked_for_within_its_folder_alone() {
    let wants = |relative: &str, absolute: &str| Fbx::wants(&face(relative, absolute, "", &["DiffuseColor"]));
    assert_eq!(wants("tex\\hat.png", "C:\\me\\tex\\hat.png"), ["hat.png", "tex/hat.png"]);
    assert_eq!(wants("..\\tex\\hat.png", "/srv/tex/hat.png"), ["hat.png"]);
    assert_eq!(Fbx::wants(&face("red.tga", "red.tga", RED_TGA, &["DiffuseColor"])), [""; 0]);
    assert_eq!(Fbx::wants(&crate::fbx::fixtures::named("face")), [""; 0]);
}

#[test]
fn a_picture_beside_the_file_is_taken_or_told() {
    let bytes = face("..\\tex\\hat.png", "C:\\me\\tex\\hat.png", "", &["DiffuseColor"]);
    let png = b"\x89PNG\r\n\x1a\nand so on";
    let (with, _) = scene(&bytes, &[("hat.png", png)]);
    assert_eq!(&*with.images[0].bytes, png);
    assert_eq!(with.materials[0].base_color_image, Some(FIRST));
    let (without, report) = scene(&bytes, &[]);
    assert_eq!((without.images.len(), without.materials[0].base_color_image), (0, None));
    assert_eq!(dropped(&report), ["the picture hat.png"]);
    let (_, report) = scene(&bytes, &[("hat.png", b"nothing known")]);
    assert_eq!(dropped(&report), ["the picture hat.png"]);
}

#[test]
fn alpha_counts_where_the_same_picture_lets_light_through() {
    let alpha =
        |properties: &[&str]| scene(&face("a.tga", "", GLASS_TGA, properties), &[]).0.materials[0].alpha;
    assert_eq!(alpha(&["DiffuseColor"]), AlphaMode::Opaque);
    assert_eq!(alpha(&["DiffuseColor", "TransparentColor"]), AlphaMode::Blend);
}

#[test]
fn emissive_pictures_and_normal_maps_come_into_the_scene() {
    let (lit, report) = scene(&face("a.tga", "", RED_TGA, &["EmissiveColor", "NormalMap"]), &[]);
    assert_eq!(dropped(&report), [""; 0]);
    let material = &lit.materials[0];
    assert_eq!((lit.images.len(), material.base_color_image), (1, None));
    assert_eq!(material.emissive_image, Some(FIRST));
    assert_eq!(material.emissive, [1.0; 3], "the black beside the picture does not count");
    assert_eq!(material.normal_map, Some(NormalMap { image: FIRST, scale: 1.0 }));
}

#[test]
fn pictures_of_other_properties_are_told() {
    for property in ["Bump", "SpecularColor"] {
        let (scene, report) = scene(&face("a.tga", "", RED_TGA, &[property]), &[]);
        let expected = format!("pictures of the property {property:?} of 1 material");
        assert_eq!((dropped(&report), scene.images.len()), (vec![expected], 0));
    }
}
