//! The rasteriser draws what it should, and nothing else, whatever it is given.

use dopesheet_draw::raster::raster;
use dopesheet_draw::{Drawing, Line, Look, Picture, Surface, Texture, View};
use glam::Vec3;
use proptest::prelude::*;
use std::sync::Arc;

const WHITE: [u8; 4] = [255; 4];

/// From (0, 0, 5) towards the origin; at the origin a picture is 4 metres high.
fn view() -> View {
    View::new(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y, 0.4)
}

fn unlit(color: [u8; 3]) -> Look {
    Look { unlit: true, ..Look::matt(color) }
}

fn surface(positions: Vec<[f32; 3]>, indices: Vec<u32>, look: Look) -> Surface {
    let normals = vec![[0.0, 0.0, 1.0]; positions.len()];
    Surface { positions, normals, uvs: Arc::default(), colors: Arc::default(), indices: indices.into(), look }
}

/// A square before the eye, from −half to half.
fn square(half: f32, z: f32, look: Look) -> Surface {
    let corners = [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]];
    let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].into();
    Surface { uvs, ..surface(corners.to_vec(), vec![0, 1, 2, 0, 2, 3], look) }
}

fn picture(surfaces: Vec<Surface>, lines: Vec<Line>) -> Picture {
    let drawing = Drawing { surfaces, lines, ..Drawing::default() };
    raster(&[&drawing], &[], &view(), [40, 40], WHITE)
}

fn at(picture: &Picture, x: usize, y: usize) -> [u8; 4] {
    picture.pixels[y * picture.size[0] as usize + x]
}

#[test]
fn a_square_covers_its_pixels_and_no_others() {
    let picture = picture(vec![square(1.0, 0.0, unlit([10, 200, 30]))], Vec::new());
    for (index, pixel) in picture.pixels.iter().enumerate() {
        let (x, y) = (index % 40, index / 40);
        let inside = (10..30).contains(&x) && (10..30).contains(&y);
        assert_eq!(*pixel, if inside { [10, 200, 30, 255] } else { WHITE }, "{x} {y}");
    }
    assert!(picture.is_complete);
}

#[test]
fn what_is_nearer_hides_what_is_behind_in_any_order() {
    let near = square(0.5, 1.0, unlit([255, 0, 0]));
    let far = square(1.0, -1.0, unlit([0, 0, 255]));
    for surfaces in [vec![near.clone(), far.clone()], vec![far, near]] {
        assert_eq!(at(&picture(surfaces, Vec::new()), 20, 20), [255, 0, 0, 255]);
    }
}

#[test]
fn backs_are_drawn_only_where_that_is_said() {
    let mut back = square(1.0, 0.0, unlit([9, 9, 9]));
    Arc::make_mut(&mut back.indices).reverse();
    assert_eq!(at(&picture(vec![back.clone()], Vec::new()), 20, 20), WHITE);
    back.look.double_sided = true;
    assert_eq!(at(&picture(vec![back], Vec::new()), 20, 20), [9, 9, 9, 255]);
}

#[test]
fn what_reaches_behind_the_eye_is_cut_there() {
    let floor = surface(
        vec![[-9.0, -1.0, -50.0], [9.0, -1.0, -50.0], [0.0, -1.0, 90.0]],
        vec![0, 2, 1, 0, 1, 2],
        unlit([0, 80, 0]),
    );
    let picture = picture(vec![floor], vec![line([[0.0, -0.5, 90.0], [0.0, 0.5, -5.0]], 255)]);
    assert_eq!(at(&picture, 20, 38), [0, 80, 0, 255]);
    assert_eq!(at(&picture, 3, 3), WHITE);
}

#[test]
fn textures_keep_their_perspective() {
    // A floor of which the far half is as long as the near half, but looks shorter.
    let mut floor = square(2.0, 0.0, Look { texture: Some(0), double_sided: true, ..unlit([255; 3]) });
    floor.positions = vec![[-2.0, -1.0, 2.0], [2.0, -1.0, 2.0], [2.0, -1.0, -10.0], [-2.0, -1.0, -10.0]];
    let texels = vec![[255, 0, 0, 255], [0, 0, 255, 255]];
    let textures = [Texture::new([1, 2], texels).map(Arc::new)];
    let drawing = Drawing { surfaces: vec![floor], ..Drawing::default() };
    let picture = raster(&[&drawing], &textures, &view(), [40, 200], WHITE);
    let colors: Vec<_> = (0..200).map(|y| at(&picture, 20, y)).filter(|pixel| *pixel != WHITE).collect();
    let red = colors.iter().filter(|[r, _, b, _]| r > b).count();
    assert!(red * 5 < colors.len(), "{red} of {}", colors.len());
}

#[test]
fn alpha_mixes_cuts_or_does_nothing() {
    use dopesheet_core::model::AlphaMode;
    let with = |alpha| {
        let look = Look { alpha, color: [0.0, 0.0, 0.0, 0.25], ..unlit([0; 3]) };
        at(&picture(vec![square(1.0, 0.0, look)], Vec::new()), 20, 20)
    };
    assert_eq!(with(AlphaMode::Opaque), [0, 0, 0, 255]);
    assert_eq!(with(AlphaMode::Blend), [191, 191, 191, 255]);
    assert_eq!(with(AlphaMode::Mask(0.5)), WHITE);
    assert_eq!(with(AlphaMode::Mask(0.2)), [0, 0, 0, 255]);
}

#[test]
fn what_is_behind_nothing_stays_transparent() {
    let drawing = Drawing { surfaces: vec![square(1.0, 0.0, unlit([200, 100, 50]))], ..Drawing::default() };
    let picture = raster(&[&drawing], &[], &view(), [40, 40], [0; 4]);
    assert_eq!((at(&picture, 20, 20), at(&picture, 2, 2)), ([200, 100, 50, 255], [0; 4]));
}

#[test]
fn more_than_can_be_drawn_is_left_out_and_said() {
    let many = (0..20_000).flat_map(|_| [0, 1, 2, 0, 2, 3]).collect();
    let heap = Surface { indices: many, ..square(90.0, 0.0, unlit([0; 3])) };
    assert!(!picture(vec![heap], Vec::new()).is_complete);
}

fn line(ends: [[f32; 3]; 2], alpha: u8) -> Line {
    Line { ends, color: [0, 0, 0, alpha], width_px: 4.0 }
}

#[test]
fn a_line_is_where_its_ends_are() {
    let picture = picture(Vec::new(), vec![line([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 255)]);
    let dark: Vec<_> = (0..1600).filter(|i| picture.pixels[*i][0] < 128).collect();
    assert!(dark.iter().all(|i| (8..32).contains(&(i % 40)) && (18..22).contains(&(i / 40))), "{dark:?}");
    assert!(dark.len() >= 36);
}

#[test]
fn faint_lines_that_meet_are_not_darker_there() {
    let corner = [0.0; 3];
    let lines = vec![line([[-1.0, 0.0, 0.0], corner], 100), line([corner, [1.0, 0.0, 0.0]], 100)];
    let picture = picture(Vec::new(), lines);
    let darkest = picture.pixels.iter().map(|pixel| pixel[0]).min().unwrap();
    assert_eq!(darkest, 155);
}

#[test]
fn colours_of_corners_are_factors_of_the_look_in_light() {
    let look = Look { color: [1.0, 0.5, 1.0, 1.0], ..unlit([255; 3]) };
    let colors =
        [[1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]].into();
    let picture = picture(vec![Surface { colors, ..square(2.0, 0.0, look) }], Vec::new());
    // Half the light is 188 of 255; red fades upwards.
    assert_eq!(at(&picture, 20, 38)[1..3], [188, 0]);
    let reds = [38, 20, 1].map(|y| at(&picture, 20, y)[0]);
    assert!(reds[0] > 245 && (180..=195).contains(&reds[1]) && reds[2] < 60, "{reds:?}");
}

#[test]
fn the_alpha_of_colours_counts_where_the_look_blends() {
    use dopesheet_core::model::AlphaMode;
    let shown = |alpha: AlphaMode| {
        let look = Look { alpha, ..unlit([0; 3]) };
        let colors = [[1.0, 1.0, 1.0, 0.5]; 4].into();
        at(&picture(vec![Surface { colors, ..square(2.0, 0.0, look) }], Vec::new()), 20, 20)[0]
    };
    assert_eq!([AlphaMode::Opaque, AlphaMode::Mask(0.6), AlphaMode::Mask(0.4)].map(shown), [0, 255, 0]);
    assert!((100..=155).contains(&shown(AlphaMode::Blend)));
}

/// Numbers as hostile files have them.
fn wild() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -4.0_f32..4.0,
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(f32::MAX)],
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(f32::MIN_POSITIVE), Just(1e-30), Just(5.0), any::<f32>()],
    ]
}

fn wild_surface() -> impl Strategy<Value = Surface> {
    let point = || prop::array::uniform3(wild());
    let look = (prop::array::uniform4(wild()), 0..3_usize, any::<bool>()).prop_map(|(color, mode, unlit)| {
        use dopesheet_core::model::AlphaMode;
        let alpha = [AlphaMode::Opaque, AlphaMode::Blend, AlphaMode::Mask(f64::NAN)][mode];
        Look { color, texture: Some(mode), alpha, double_sided: true, unlit }
    });
    let columns = (
        prop::collection::vec(point(), 0..6),
        prop::collection::vec(point(), 0..6),
        prop::collection::vec(prop::array::uniform2(wild()), 0..6),
        prop::collection::vec(prop::array::uniform4(wild()), 0..6),
        prop::collection::vec(0..8_u32, 0..24),
    );
    (columns, look).prop_map(|((positions, normals, uvs, colors, indices), look)| Surface {
        positions,
        normals,
        uvs: uvs.into(),
        colors: colors.into(),
        indices: indices.into(),
        look,
    })
}

proptest! {
    #[test]
    fn no_drawing_makes_it_panic(
        surfaces in prop::collection::vec(wild_surface(), 0..4),
        ends in prop::collection::vec(prop::array::uniform2(prop::array::uniform3(wild())), 0..6),
        width_px in wild(),
        eye in prop::array::uniform3(wild()),
    ) {
        let lines = ends.into_iter().map(|ends| Line { ends, color: [1, 2, 3, 200], width_px }).collect();
        let drawing = Drawing { surfaces, lines, ..Drawing::default() };
        let texture = Texture::new([3, 1], vec![[7; 4]; 3]);
        let view = View::new(Vec3::from(eye), Vec3::ZERO, Vec3::Y, 0.3);
        let picture = raster(&[&drawing], &[texture.map(Arc::new), None], &view, [17, 9], WHITE);
        prop_assert_eq!(picture.pixels.len(), 17 * 9);
    }

    /// Two triangles that share an edge leave no gap, and cover nothing outside of their square.
    #[test]
    fn triangles_cover_what_is_inside_of_them(x in -1.5_f32..1.5, y in -1.5_f32..1.5, turn in 0.0_f32..6.3) {
        let (sin, cos) = turn.sin_cos();
        let mut own = square(0.6, 0.0, unlit([0; 3]));
        for [px, py, _] in &mut own.positions {
            (*px, *py) = (*px * cos - *py * sin + x, *px * sin + *py * cos + y);
        }
        let picture = picture(vec![own], Vec::new());
        for (index, pixel) in picture.pixels.iter().enumerate() {
            let place = [index % 40, index / 40].map(|i| (i as f32 + 0.5) / 10.0 - 2.0);
            let (dx, dy) = (place[0] - x, -place[1] - y);
            let off = (dx * cos + dy * sin).abs().max((dy * cos - dx * sin).abs());
            prop_assert!(off > 0.5 || *pixel == [0, 0, 0, 255], "{:?} {}", place, off);
            prop_assert!(off < 0.7 || *pixel == WHITE, "{:?} {}", place, off);
        }
    }
}
