//! Clips.

use super::Reader;
use crate::more::clip::{Clip, ClipContent, SubResource, Transition};
use crate::more::codes;
use crate::more::document::{ANIMATION, Resource};
use crate::more::layout::{since, smallest};
use dopesheet_core::bytes::Read;

/// Types of clips.
const SIMPLE: u32 = 0;
const SYNCHRONISED: u32 = 1;

impl Reader<'_, '_> {
    pub(super) fn clip_resource(&mut self) -> Read<Resource> {
        self.clip().map(Resource::Clip)
    }

    fn clip(&mut self) -> Read<Clip> {
        let start = self.cursor.clone();
        let kind = self.cursor.u32("type")?;
        if !matches!(kind, SIMPLE | SYNCHRONISED) {
            let expected = "0 (one animation) or 1 (several)".to_owned();
            return Err(start.fault(codes::UNKNOWN_CLIP_TYPE.code, "type", expected, kind.to_string()));
        }
        Ok(Clip {
            layer_id: self.cursor.u16("layerID")?,
            is_looping: self.bool("isLooping")?,
            time_scale: self.cursor.f32("timeScale")?,
            transition: self.transition()?,
            time_warp: self.time_warp()?,
            content: match kind {
                SIMPLE => ClipContent::Simple(self.sub_resource()?),
                _ => self.synchronised()?,
            },
        })
    }

    fn transition(&mut self) -> Read<Option<Transition>> {
        if self.version < since::CLIP_TRANSITION {
            return Ok(None);
        }
        Ok(Some(Transition {
            blending: self.cursor.f32("blending")?,
            fade_in: self.cursor.f32("transitionIn")?,
            fade_out: self.cursor.f32("transitionOut")?,
        }))
    }

    fn time_warp(&mut self) -> Read<Option<Vec<[f32; 2]>>> {
        if self.version < since::TIME_WARP || !self.bool("timeWarpOn")? {
            return Ok(None);
        }
        self.array("timeWarp", smallest::WARP_POINT, |r| r.cursor.f32s("point")).map(Some)
    }

    fn synchronised(&mut self) -> Read<ClipContent> {
        let layers = self.array("subLayers", smallest::SUB_RESOURCE, Self::sub_resource)?;
        let count = layers.len();
        let mut blendings = Vec::new();
        if self.version >= since::CLIP_TRANSITION {
            blendings = self.fields("blendings", count, 4, |r| r.cursor.f32("weight"))?;
        }
        let mut adjust_durations = Vec::new();
        if self.version >= since::ADJUST_DURATIONS {
            adjust_durations = self.fields("adjustDurations", count, 1, |r| r.bool("switch"))?;
        }
        Ok(ClipContent::Synchronised { layers, blendings, adjust_durations })
    }

    /// An array with its count stored elsewhere. Allocates nothing before the presence of the bytes is known.
    fn fields<T>(
        &mut self,
        name: &'static str,
        count: usize,
        size: usize,
        mut field: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.cursor.clone().take(count.saturating_mul(size), name)?;
        self.elements(name, count, &mut field)
    }

    fn sub_resource(&mut self) -> Read<SubResource> {
        let path = self.string("path")?;
        if !path.0.is_empty() {
            return Ok(SubResource::Path(path));
        }
        let start = self.cursor.clone();
        let class = self.string("class name")?;
        if class.0.as_ref() != ANIMATION.as_bytes() {
            let expected = format!("an embedded \"{ANIMATION}\"");
            let actual = format!("\"{}\"", class.0.escape_ascii());
            return Err(start.fault(codes::UNSUPPORTED_EMBEDDED.code, "class name", expected, actual));
        }
        self.animation().map(|animation| SubResource::Embedded(Box::new(animation)))
    }
}
