//! camera.vmd: two shots. The first circles the figure and comes closer; the second, after a cut, looks up at it and
//! keeps its size while the field of view opens.

use super::vmd::{ARRIVING, Motion, SMOOTH, STEADY, Shot};
use dopesheet_mmd::vmd::{Document, LightKeyframe, ModelName, Section, ShadowKeyframe};

/// The first frame of the second shot; keys on neighbouring frames are a cut.
const CUT: u32 = 120;
const END: u32 = 240;
/// Half the height of the picture at the target, in the second shot.
const FRAMED: f64 = 3.5;

/// Draws it.
pub(super) fn document() -> Document {
    let mut motion = Motion::new(ModelName::CAMERA_AND_LIGHT);
    // MikuMikuDance writes no show/IK section for motions of the camera.
    motion.0.last_section = Section::Shadows;
    shots(&mut motion);
    lights(&mut motion);
    motion.0.shadows.push(ShadowKeyframe { frame: 0, mode: 1, distance: 0.01125 });
    motion.0
}

fn shots(motion: &mut Motion) {
    let wide = Shot { target: [0.0, 10.0, 0.0], degrees: [-6.0, 32.0, 0.0], distance: -42.0, fov_deg: 30 };
    let near = Shot { target: [0.0, 14.5, 0.0], degrees: [-2.0, -24.0, 0.0], distance: -22.0, fov_deg: 30 };
    motion.camera(0, wide, STEADY);
    motion.camera(CUT - 25, near, SMOOTH);
    motion.camera(CUT - 1, Shot { degrees: [-1.0, -27.0, 0.0], ..near }, ARRIVING);
    let below = |roll, fov_deg: u32| Shot {
        target: [0.0, 16.4, 0.0],
        degrees: [9.0, 14.0, roll],
        distance: -FRAMED / (f64::from(fov_deg).to_radians() / 2.0).tan(),
        fov_deg,
    };
    motion.camera(CUT, below(5.0, 18), STEADY);
    motion.camera(CUT + 15, below(5.0, 18), STEADY);
    motion.camera(END - 20, below(-3.0, 48), SMOOTH);
    motion.camera(END, below(-3.0, 48), STEADY);
}

fn lights(motion: &mut Motion) {
    // MikuMikuDance's own light, and from the cut on a low and warm one from the other side.
    let day = LightKeyframe { frame: 0, color: [0.602; 3], direction: [-0.5, -1.0, 0.5] };
    let evening = LightKeyframe { frame: CUT, color: [0.78, 0.54, 0.42], direction: [0.8, -0.45, 0.4] };
    motion.0.lights.extend([day, LightKeyframe { frame: CUT - 1, ..day }, evening]);
}
