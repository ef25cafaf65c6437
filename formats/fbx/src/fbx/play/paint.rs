//! Colours of materials, from the numbers of the format.

/// Numbers of a material behind its colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Base colour, before the factor.
    pub diffuse: [f64; 3],
    /// Factor of the base colour.
    pub diffuse_factor: f64,
    /// Emitted light, before the factor.
    pub emissive: [f64; 3],
    /// Factor of the emitted light.
    pub emissive_factor: f64,
    /// True if a texture has the emitted light; the colour beside a texture says nothing: exporters leave black there.
    pub is_emission_textured: bool,
    /// Source of the alpha.
    pub alpha: Alpha,
}

/// Source of a material's alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// A number; 1 beside a texture, where the numbers of the file say nothing: exporters leave 0 there.
    Opacity(f64),
    /// Numbers of a material that the format itself defines.
    Classic {
        /// Share of light let through; 0 if the file does not say.
        factor: f64,
        /// Opacity, if stated.
        opacity: Option<f64>,
        /// Light let through, before the factor.
        color: [f64; 3],
    },
}

/// Values of a material's moving properties at a time, by their names; `None` for a property that does not move.
pub(in crate::fbx) type Moved<'a> = &'a dyn Fn(&str) -> Option<[f64; 3]>;

const DIFFUSE: [&str; 2] = ["DiffuseColor", "DiffuseFactor"];
const EMISSIVE: [&str; 2] = ["EmissiveColor", "EmissiveFactor"];
const TRANSPARENT: [&str; 3] = ["TransparencyFactor", "Opacity", "TransparentColor"];

impl Paint {
    /// Names of the properties with an effect on the base colour.
    pub(in crate::fbx) fn base_sources(&self) -> Vec<&'static str> {
        let transparent: &[_] = if matches!(self.alpha, Alpha::Opacity(_)) { &[] } else { &TRANSPARENT };
        [&DIFFUSE, transparent].concat()
    }

    /// Names of the properties with an effect on the emission.
    pub(in crate::fbx) fn emission_sources(&self) -> Vec<&'static str> {
        EMISSIVE.into_iter().skip(usize::from(self.is_emission_textured)).collect()
    }

    /// The base colour: linear RGBA.
    pub(in crate::fbx) fn base(&self, moved: Moved<'_>) -> [f64; 4] {
        let [r, g, b] = product(DIFFUSE, (self.diffuse, self.diffuse_factor), moved);
        [r, g, b, self.alpha.value(moved).clamp(0.0, 1.0)]
    }

    /// The emitted light: linear RGB.
    pub(in crate::fbx) fn emission(&self, moved: Moved<'_>) -> [f64; 3] {
        match self.is_emission_textured {
            true => product(EMISSIVE, ([1.0; 3], self.emissive_factor), &|name| {
                moved(name).filter(|_| name != EMISSIVE[0])
            }),
            false => product(EMISSIVE, (self.emissive, self.emissive_factor), moved),
        }
    }
}

/// A colour times a factor, in the range of a scene.
fn product(names: [&str; 2], (color, factor): ([f64; 3], f64), moved: Moved<'_>) -> [f64; 3] {
    let color = moved(names[0]).unwrap_or(color);
    let factor = moved(names[1]).map_or(factor, |[factor, ..]| factor);
    color.map(|part| (part * factor).clamp(0.0, 1.0))
}

impl Alpha {
    /// Of a classic material, as Blender and three.js have it: by the factor, unless that is 0 or 1 and there is an opacity; a moving
    /// property goes first. A colour times a factor of the format's own counts last.
    fn value(self, moved: Moved<'_>) -> f64 {
        let (factor, opacity, color) = match self {
            Self::Opacity(opacity) => return opacity,
            Self::Classic { factor, opacity, color } => (factor, opacity, color),
        };
        let [factor_name, opacity_name, color_name] = TRANSPARENT;
        let let_through = |[r, g, b]: [f64; 3]| 1.0 - factor * (r + g + b) / 3.0;
        match (moved(factor_name), moved(opacity_name), moved(color_name)) {
            (Some([factor, ..]), _, _) => 1.0 - factor,
            (None, Some([opacity, ..]), _) => opacity,
            (None, None, Some(color)) => let_through(color),
            (None, None, None) if factor > 0.0 && factor < 1.0 => 1.0 - factor,
            (None, None, None) => opacity.unwrap_or_else(|| let_through(color)),
        }
    }
}
