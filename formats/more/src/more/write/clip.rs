//! Clips.

use super::{Write, Writer};
use crate::more::clip::{Clip, ClipContent, SubResource};
use crate::more::document::ANIMATION;
use crate::more::layout::since;

impl Writer {
    pub(super) fn clip(&mut self, clip: &Clip) -> Write {
        self.out.u32(u32::from(matches!(clip.content, ClipContent::Synchronised { .. })));
        self.out.u16(clip.layer_id);
        self.bool(clip.is_looping);
        self.out.f32(clip.time_scale);
        if self.version >= since::CLIP_TRANSITION {
            let t = clip.transition.unwrap_or_default();
            self.out.f32s(&[t.blending, t.fade_in, t.fade_out]);
        } else {
            self.absent(clip.transition.is_none(), "blending", "since 0x1")?;
        }
        self.time_warp(clip)?;
        match &clip.content {
            ClipContent::Simple(one) => self.sub_resource(one),
            ClipContent::Synchronised { layers, blendings, adjust_durations } => {
                self.array(layers, "subLayers", Self::sub_resource)?;
                let count = layers.len();
                self.check_fields(blendings.len(), count, since::CLIP_TRANSITION, "blendings")?;
                self.check_fields(adjust_durations.len(), count, since::ADJUST_DURATIONS, "adjustDurations")?;
                self.out.f32s(blendings);
                adjust_durations.iter().for_each(|value| self.bool(*value));
                Ok(())
            }
        }
    }

    fn time_warp(&mut self, clip: &Clip) -> Write {
        if self.version < since::TIME_WARP {
            return self.absent(clip.time_warp.is_none(), "timeWarp", "since 0xe");
        }
        self.bool(clip.time_warp.is_some());
        let Some(points) = &clip.time_warp else { return Ok(()) };
        self.array(points, "timeWarp", |w, point| {
            w.out.f32s(point);
            Ok(())
        })
    }

    fn check_fields(&self, length: usize, layers: usize, since: u32, path: &str) -> Write {
        let expected = if self.version >= since { layers } else { 0 };
        if length == expected {
            return Ok(());
        }
        Err(self.fault(path, format!("{expected} of them"), length.to_string()))
    }

    fn sub_resource(&mut self, resource: &SubResource) -> Write {
        match resource {
            SubResource::Path(path) if path.0.is_empty() => {
                Err(self.fault("path", "a path that is not empty", "an empty one"))
            }
            SubResource::Path(path) => self.string(path, "path"),
            SubResource::Embedded(animation) => {
                self.out.u32(0);
                self.bytes_with_length(ANIMATION.as_bytes(), "class name")?;
                self.animation(animation)
            }
        }
    }
}
