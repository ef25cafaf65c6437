//! Layers drawn without the graphics processor.

use super::gpu::Layer;
use dopesheet::core::model::AlphaMode;
use dopesheet::draw::{Drawing, Line, Picture, View, raster};

/// The picture of layers, as the graphics processor draws them.
pub(super) fn still(layers: &[Layer], view: &View, size: [u32; 2], background: [u8; 4]) -> Picture {
    let (mut drawings, mut above, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    for layer in layers {
        let drawing = tinted(layer, textures.len());
        textures.extend(layer.stage.iter().flat_map(|stage| stage.textures().iter().cloned()));
        if layer.on_top { &mut above } else { &mut drawings }.push(drawing);
    }
    let draw = |drawings: &[Drawing], background| {
        raster::raster(&drawings.iter().collect::<Vec<_>>(), &textures, view, size, background)
    };
    let mut picture = draw(&drawings, background);
    if !above.is_empty() {
        let [r, g, b, _] = background;
        for (pixel, over) in picture.pixels.iter_mut().zip(draw(&above, [r, g, b, 0]).pixels) {
            let share = f32::from(over[3]) / 255.0;
            for (under, over) in pixel.iter_mut().zip([over[0], over[1], over[2], 255]) {
                *under = (f32::from(*under) * (1.0 - share) + f32::from(over) * share).round() as u8;
            }
        }
    }
    picture
}

/// The drawing of a layer in its colours, with its textures behind a number of others.
fn tinted(layer: &Layer, textures: usize) -> Drawing {
    let mut drawing = Drawing::clone(&layer.drawing);
    for look in drawing.surfaces.iter_mut().map(|surface| &mut surface.look) {
        look.texture = look.texture.map(|texture| texture + textures);
        look.color.iter_mut().zip(layer.tint).for_each(|(part, factor)| *part *= factor);
        if layer.tint[3] < 1.0 {
            look.alpha = AlphaMode::Blend;
        }
    }
    let tint = |line: &mut Line| {
        line.color.iter_mut().zip(layer.tint).for_each(|(part, factor)| {
            *part = (f32::from(*part) * factor).round() as u8;
        });
    };
    drawing.lines.iter_mut().chain(&mut drawing.marks).for_each(tint);
    drawing
}
