//! Interpolation curves as bytes, and the physics switch stored among them.

/// The four channels of a bone key with curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoneChannel {
    /// Translation along X.
    X,
    /// Translation along Y.
    Y,
    /// Translation along Z.
    Z,
    /// Rotation.
    Rotation,
}

impl BoneChannel {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::Rotation];
}

/// The six channels of a camera key with curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CameraChannel {
    /// Target along X.
    X,
    /// Target along Y.
    Y,
    /// Target along Z.
    Z,
    /// All three angles.
    Angles,
    /// Distance.
    Distance,
    /// Field of view.
    FieldOfView,
}

impl CameraChannel {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 6] = [Self::X, Self::Y, Self::Z, Self::Angles, Self::Distance, Self::FieldOfView];
}

/// The control points of a straight line, as written by MikuMikuDance: x1, y1, x2, y2 in 127ths.
pub const LINEAR: [u8; 4] = [20, 20, 107, 107];

/// Physics of a bone from a key on.
///
/// Newer versions of MikuMikuDance store the switch in bytes 2 and 3 of the interpolation block, which in
/// older files repeat a part of bytes 17 and 18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Physics {
    /// The file is older than the switch and does not contain it.
    None,
    /// Physics moves the bone; bytes 00 00.
    On,
    /// The keys move the bone; bytes 63 0F.
    Off,
    /// Bytes of unknown meaning; taken as [`Physics::On`].
    Unknown,
}

const PHYSICS_ON: [u8; 2] = [0x00, 0x00];
const PHYSICS_OFF: [u8; 2] = [0x63, 0x0f];
/// Bytes 46, 47, 61, 62, 63 and 31 are fillers for the bytes shifted out of rows 1 to 3. Old versions wrote
/// these values.
const OLD_FILLER: [(usize, u8); 3] = [(31, 1), (46, 1), (61, 1)];

impl Physics {
    pub(super) fn of(block: &[u8; 64]) -> Self {
        let (switch, copy) = ([block[2], block[3]], [block[17], block[18]]);
        match switch {
            _ if switch == copy || has_one_row(block) => Self::None,
            PHYSICS_ON => Self::On,
            PHYSICS_OFF => Self::Off,
            _ => Self::Unknown,
        }
    }
}

/// True if only the first of the four rows is filled.
pub(super) fn has_one_row(block: &[u8; 64]) -> bool {
    block[16..] == [0; 48]
}

pub(super) fn bone_curve(block: &[u8; 64], channel: BoneChannel) -> [u8; 4] {
    let channel = channel as usize;
    // Row k starts with channel k; see `bone_bytes`.
    let row = &block[16 * channel..16 * channel + 16];
    match [row[0], row[4], row[8], row[12]] {
        [0, 0, 0, 0] if has_one_row(block) => {
            [block[channel], block[channel + 4], block[channel + 8], block[channel + 12]]
        }
        curve => curve,
    }
}

/// Sixteen bytes x1 of the four channels, then their y1, x2 and y2; then the same three times more, shifted to the
/// left by one, two and three bytes.
pub(super) const fn bone_bytes(curves: [[u8; 4]; 4], physics: Physics) -> [u8; 64] {
    let mut block = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (row, column) = (at / 16, at % 16);
        let shifted = row + column;
        if shifted < 16 {
            block[at] = curves[shifted % 4][shifted / 4];
        }
        at += 1;
    }
    match physics {
        Physics::None => {
            let mut filler = 0;
            while filler < OLD_FILLER.len() {
                block[OLD_FILLER[filler].0] = OLD_FILLER[filler].1;
                filler += 1;
            }
        }
        Physics::On | Physics::Unknown => [block[2], block[3]] = PHYSICS_ON,
        Physics::Off => [block[2], block[3]] = PHYSICS_OFF,
    }
    block
}

pub(super) fn camera_curve(block: &[u8; 24], channel: CameraChannel) -> [u8; 4] {
    let at = 4 * channel as usize;
    [block[at], block[at + 2], block[at + 1], block[at + 3]]
}

/// Per channel x1, x2, y1, y2: another order than in bone keys.
pub(super) const fn camera_bytes(curves: [[u8; 4]; 6]) -> [u8; 24] {
    let mut block = [0; 24];
    let mut channel = 0;
    while channel < 6 {
        let [x1, y1, x2, y2] = curves[channel];
        [block[4 * channel], block[4 * channel + 1], block[4 * channel + 2], block[4 * channel + 3]] =
            [x1, x2, y1, y2];
        channel += 1;
    }
    block
}

/// True if the copies of the curves in the four rows agree.
pub(super) fn rows_agree(block: &[u8; 64]) -> bool {
    if has_one_row(block) {
        return true;
    }
    // Bytes 2 and 3 may be the physics switch; their copies stand in row 1.
    let mut base: [u8; 16] = std::array::from_fn(|at| block[at]);
    [base[2], base[3]] = [block[17], block[18]];
    (1..4).all(|row| block[16 * row..16 * row + 16 - row] == base[row..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVES: [[u8; 4]; 4] = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]];

    #[test]
    fn the_block_has_four_shifted_rows() {
        let block = bone_bytes(CURVES, Physics::None);
        assert_eq!(block[..16], [1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 16]);
        assert_eq!(block[16..32], [5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 16, 1]);
        assert_eq!(block[48..], [13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 16, 1, 0, 0]);
        assert_eq!((block[46], block[47]), (1, 0));
    }

    #[test]
    fn curves_survive_the_physics_switch() {
        for physics in [Physics::None, Physics::On, Physics::Off] {
            let block = bone_bytes(CURVES, physics);
            assert_eq!(BoneChannel::ALL.map(|c| bone_curve(&block, c)), CURVES);
            assert_eq!(Physics::of(&block), physics);
            assert!(rows_agree(&block));
        }
    }

    #[test]
    fn a_block_with_one_row_uses_it_for_all_channels() {
        let mut block = bone_bytes(CURVES, Physics::None);
        block[16..].fill(0);
        assert_eq!(BoneChannel::ALL.map(|c| bone_curve(&block, c)), CURVES);
        assert_eq!(Physics::of(&block), Physics::None);
    }

    #[test]
    fn a_channel_whose_curve_is_all_zero_is_not_a_missing_row() {
        let curves = [[0; 4], [5, 6, 7, 8], [9, 10, 11, 12], [0; 4]];
        let block = bone_bytes(curves, Physics::Off);
        assert_eq!(BoneChannel::ALL.map(|c| bone_curve(&block, c)), curves);
    }

    #[test]
    fn other_bytes_in_the_place_of_the_switch_are_unknown() {
        let mut block = bone_bytes(CURVES, Physics::On);
        block[2] = 7;
        assert_eq!(Physics::of(&block), Physics::Unknown);
        assert!(rows_agree(&block));
        block[20] ^= 1;
        assert!(!rows_agree(&block));
    }

    #[test]
    fn camera_bytes_put_both_x_before_both_y() {
        let curves = std::array::from_fn(|c| std::array::from_fn(|p| (10 * c + p) as u8));
        let block = camera_bytes(curves);
        assert_eq!(block[4..8], [10, 12, 11, 13]);
        assert_eq!(CameraChannel::ALL.map(|c| camera_curve(&block, c)), curves);
    }
}
