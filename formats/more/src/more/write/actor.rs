//! Actors.

use super::{Write, Writer};
use crate::more::actor::{ActorModel, Bone, BoneScale, Bounds, EventEmitter, MeshChannel, SoundEmitter};
use crate::more::layout::since;

impl Writer {
    pub(super) fn actor(&mut self, actor: &ActorModel) -> Write {
        if self.version < since::BONES {
            self.string(&actor.bones_name, "bonesName")?;
            self.string(&actor.bones_file, "bonesGeometricFileName")?;
            self.absent(actor.bones.is_empty(), "bones", "since 0x6")?;
        } else {
            let none = actor.bones_name.0.is_empty() && actor.bones_file.0.is_empty();
            self.absent(none, "bonesName", "below 0x6")?;
        }
        if self.version >= since::MODELS {
            let emitters = actor.event_emitters.len() + actor.sound_emitters.len();
            self.absent(actor.bones.is_empty() && emitters == 0, "bones", "0x6 and 0x7")?;
            self.out.u32(0).u32(0).u32(0);
        } else {
            self.documented_parts(actor)?;
        }
        if self.version >= since::STATE_MODELS {
            self.array(&actor.state_models, "stateModels", |w, state| {
                w.string(&state.name, "name")?;
                w.strings(&state.track_names, "trackNames")
            })?;
        } else {
            self.absent(actor.state_models.is_empty(), "stateModels", "since 0xa")?;
        }
        self.array(&actor.channels, "channels", Self::channel)?;
        if self.version < since::BONES {
            return self.absent(actor.graphic_object_names.is_empty(), "graphicObjectNames", "since 0x6");
        }
        self.strings(&actor.graphic_object_names, "graphicObjectNames")
    }

    fn documented_parts(&mut self, actor: &ActorModel) -> Write {
        if self.version >= since::BONES {
            self.array(&actor.bones, "bones", Self::bone)?;
        }
        if self.version >= since::EVENT_EMITTERS {
            self.array(&actor.event_emitters, "eventEmitters", Self::event_emitter)?;
        } else {
            self.absent(actor.event_emitters.is_empty(), "eventEmitters", "since 0x3")?;
        }
        self.array(&actor.sound_emitters, "soundEmitters", Self::sound_emitter)
    }

    fn bone(&mut self, bone: &Bone) -> Write {
        self.string(&bone.name, "name")?;
        self.string(&bone.position_name, "positionName")?;
        self.string(&bone.rotation_name, "rotationName")?;
        match (&bone.scale, self.version >= since::SCALE_NAMES) {
            (BoneScale::Named { value_name, orientation_name, use_scale, .. }, true) => {
                self.string(value_name, "scaleValueName")?;
                self.string(orientation_name, "scaleOrientationName")?;
                self.bool(*use_scale);
            }
            (BoneScale::Fixed { .. }, false) => {}
            _ => return Err(self.fault("scale", "the form of the version", "the other form")),
        }
        self.out.u16(bone.father.cast_unsigned()).f32s(&bone.position).f32s(&bone.rotation);
        match &bone.scale {
            BoneScale::Named { value, orientation, .. } => self.out.f32s(value).f32s(orientation),
            BoneScale::Fixed { value, orientation, determinant } => {
                self.out.f32s(value).f32s(orientation).f32(*determinant)
            }
        };
        Ok(())
    }

    fn bounds(&mut self, bounds: Option<&Bounds>) -> Write {
        match (bounds, self.version >= since::BOUNDS) {
            (Some([least, greatest]), true) => {
                self.out.f32s(least).f32s(greatest);
                Ok(())
            }
            (None, false) => Ok(()),
            (None, true) => Err(self.fault("box", "a box, since 0x4", "none")),
            (Some(_), false) => self.absent(false, "box", "since 0x4"),
        }
    }

    fn event_emitter(&mut self, emitter: &EventEmitter) -> Write {
        self.string(&emitter.name, "name")?;
        self.string(&emitter.position_name, "positionName")?;
        self.string(&emitter.rotation_name, "rotationName")?;
        self.out.u16(emitter.father.cast_unsigned()).f32s(&emitter.position).f32s(&emitter.rotation);
        self.bounds(emitter.bounds.as_ref())?;
        self.strings(&emitter.event_track_names, "eventTrackNames")
    }

    fn sound_emitter(&mut self, emitter: &SoundEmitter) -> Write {
        self.string(&emitter.name, "name")?;
        self.string(&emitter.position_name, "positionName")?;
        self.out.u16(emitter.father.cast_unsigned()).f32s(&emitter.position);
        self.bounds(emitter.bounds.as_ref())?;
        self.strings(&emitter.sound_track_names, "soundTrackNames")
    }

    fn ids(&mut self, ids: &[u16], path: &str) -> Write {
        self.array(ids, path, |w, id| {
            w.out.u16(*id);
            Ok(())
        })
    }

    fn channel(&mut self, channel: &MeshChannel) -> Write {
        self.string(&channel.name, "name")?;
        if self.version >= since::MODELS {
            self.bool(channel.is_deformable);
            self.bool(channel.is_multiple_meshes);
            self.bool(channel.is_visibility_animated);
            self.ids(&channel.bone_ids, "boneIDs")?;
            return self.ids(&channel.graphic_object_ids, "graphicObjectIDs");
        }
        if self.version >= since::BONES {
            self.ids(&channel.graphic_object_ids, "graphicObjectIDs")?;
        } else {
            self.absent(channel.graphic_object_ids.is_empty(), "graphicObjectIDs", "since 0x6")?;
        }
        self.ids(&channel.bone_ids, "boneIDs")?;
        if self.version >= since::IS_DEFORMABLE {
            self.bool(channel.is_deformable);
        }
        Ok(())
    }
}
