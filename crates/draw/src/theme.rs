//! Colours of shapes without colours of their own.

/// Colours of a drawing, all as sRGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Background behind everything, with straight alpha.
    pub background: [u8; 4],
    /// Lines of the ground.
    pub grid: [u8; 3],
    /// Surfaces without a material.
    pub surface: [u8; 3],
    /// Bones of a skeleton.
    pub bone: [u8; 3],
    /// Joints between the bones of a skeleton.
    pub joint: [u8; 3],
    /// The left and the right hand.
    pub hands: [[u8; 3]; 2],
    /// Parts that call for attention: fingers that pinch.
    pub accent: [u8; 3],
    /// Rays of gaze.
    pub gaze: [u8; 3],
    /// Cameras and their paths.
    pub camera: [u8; 3],
    /// The axes x, y and z.
    pub axes: [[u8; 3]; 3],
}

impl Theme {
    /// Dark shapes on white.
    pub const LIGHT: Self = Self {
        background: [250, 250, 252, 255],
        grid: [176, 182, 196],
        surface: [190, 196, 208],
        bone: [120, 144, 196],
        joint: [240, 158, 70],
        hands: [[86, 150, 220], [106, 178, 120]],
        accent: [235, 92, 52],
        gaze: [208, 70, 140],
        camera: [92, 84, 190],
        axes: [[214, 72, 72], [80, 160, 80], [70, 110, 210]],
    };

    /// Light shapes on almost black.
    pub const DARK: Self = Self {
        background: [24, 25, 33, 255],
        grid: [96, 102, 124],
        surface: [186, 192, 206],
        bone: [122, 162, 247],
        joint: [255, 158, 100],
        hands: [[122, 180, 250], [140, 210, 150]],
        accent: [255, 128, 80],
        gaze: [240, 120, 180],
        camera: [187, 164, 250],
        axes: [[247, 118, 142], [158, 206, 106], [122, 162, 247]],
    };

    /// The colours that stand out from a background.
    #[must_use]
    pub fn on(background: [u8; 4]) -> Self {
        let [r, g, b, alpha] = background.map(f32::from);
        // Where nothing is behind the picture, somebody's page is, and most are white.
        let is_dark = alpha > 127.0 && 0.2126 * r + 0.7152 * g + 0.0722 * b < 110.0;
        Self { background, ..if is_dark { Self::DARK } else { Self::LIGHT } }
    }
}

/// From sRGB as shown on a screen to amounts of light (IEC 61966-2-1).
pub(crate) fn linear(shown: u8) -> f32 {
    let shown = f32::from(shown) / 255.0;
    if shown <= 0.040_45 { shown / 12.92 } else { libm::powf((shown + 0.055) / 1.055, 2.4) }
}

/// The inverse of [`linear`]; values outside of 0..=1 are cut.
pub(crate) fn shown(linear: f32) -> f32 {
    let linear = linear.clamp(0.0, 1.0);
    let shown =
        if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055 };
    shown * 255.0
}
