//! Directions of a file's axes, and the length of its unit.

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// +X
    PosX,
    /// −X
    NegX,
    /// +Y
    PosY,
    /// −Y
    NegY,
    /// +Z
    PosZ,
    /// −Z
    NegZ,
}

impl Axis {
    /// All six.
    pub const ALL: [Self; 6] = [Self::PosX, Self::NegX, Self::PosY, Self::NegY, Self::PosZ, Self::NegZ];

    /// The axis in words: `+x`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::PosX => "+x",
            Self::NegX => "-x",
            Self::PosY => "+y",
            Self::NegY => "-y",
            Self::PosZ => "+z",
            Self::NegZ => "-z",
        }
    }

    /// The axis of a word, in any case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|axis| axis.word().eq_ignore_ascii_case(word))
    }

    /// Index of the axis's coordinate: 0, 1 or 2.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::PosX | Self::NegX => 0,
            Self::PosY | Self::NegY => 1,
            Self::PosZ | Self::NegZ => 2,
        }
    }

    /// +1 or −1.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::PosX | Self::PosY | Self::PosZ => 1.0,
            Self::NegX | Self::NegY | Self::NegZ => -1.0,
        }
    }

    /// The unit vector along the axis.
    #[must_use]
    pub fn vector(self) -> [f64; 3] {
        let mut vector = [0.0; 3];
        vector[self.index()] = self.sign();
        vector
    }
}

/// The directions of a scene's axes as seen by a figure in it, and the length of its unit.
///
/// Two bases are related by the map of left to left, up to up and front to front; if exactly one of them is
/// left-handed, the map is a mirror. So a file of MikuMikuDance (figures face −Z, left is +X) is mirrored in
/// Z and a file of Unity (figures face +Z, left is −X) in X, without any code in their rooms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// The direction to a figure's left hand.
    pub left: Axis,
    /// Away from the ground.
    pub up: Axis,
    /// The direction a figure faces.
    pub front: Axis,
    /// Metres per unit of length; `None` if the file does not tell.
    pub metres_per_unit: Option<f64>,
    /// The local axis a camera looks along.
    pub camera_looks: Axis,
    /// The local axis a directional light or spot shines along.
    pub light_shines: Axis,
}

impl Basis {
    /// glTF 2.0: right-handed, +Y up, figures face +Z, metres; cameras and lights look along −Z.
    pub const GLTF: Self = Self {
        left: Axis::PosX,
        up: Axis::PosY,
        front: Axis::PosZ,
        metres_per_unit: Some(1.0),
        camera_looks: Axis::NegZ,
        light_shines: Axis::NegZ,
    };

    /// Unity: left-handed, +Y up, +X to the right of a figure that faces +Z; metres. Cameras and lights look
    /// along +Z.
    pub const UNITY: Self = Self {
        left: Axis::NegX,
        up: Axis::PosY,
        front: Axis::PosZ,
        metres_per_unit: Some(1.0),
        camera_looks: Axis::PosZ,
        light_shines: Axis::PosZ,
    };

    /// True if X × Y = −Z holds for the file's axes, so that angles turn the other way.
    #[must_use]
    pub fn is_left_handed(&self) -> bool {
        let [l, u, f] = [self.left.vector(), self.up.vector(), self.front.vector()];
        let cross = [l[1] * u[2] - l[2] * u[1], l[2] * u[0] - l[0] * u[2], l[0] * u[1] - l[1] * u[0]];
        cross.iter().zip(f).map(|(a, b)| a * b).sum::<f64>() < 0.0
    }
}
