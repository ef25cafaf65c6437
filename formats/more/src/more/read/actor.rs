//! Actors.

use super::Reader;
use crate::more::actor::{
    ActorModel, Bone, BoneScale, Bounds, EventEmitter, MeshChannel, SoundEmitter, StateModel,
};
use crate::more::document::ACTOR;
use crate::more::document::{Resource, WhyOpaque};
use crate::more::layout::{since, smallest};
use dopesheet_core::bytes::Read;

impl Reader<'_, '_> {
    pub(super) fn actor_resource(&mut self) -> Read<Resource> {
        let start = self.cursor.clone();
        match self.actor()? {
            Some(actor) => Ok(Resource::Actor(actor)),
            None => {
                self.cursor = start;
                Ok(self.opaque(ACTOR, WhyOpaque::UndocumentedParts))
            }
        }
    }

    /// `None` in front of a part of unknown length.
    fn actor(&mut self) -> Read<Option<ActorModel>> {
        let mut actor = ActorModel::default();
        if self.version < since::BONES {
            actor.bones_name = self.string("bonesName")?;
            actor.bones_file = self.string("bonesGeometricFileName")?;
        }
        if self.version >= since::MODELS {
            for part in ["bones", "eventEmitters", "soundEmitters"] {
                if self.cursor.u32(part)? > 0 {
                    return Ok(None);
                }
            }
        } else {
            self.documented_parts(&mut actor)?;
        }
        if self.version >= since::STATE_MODELS {
            actor.state_models = self.array("stateModels", smallest::STATE_MODEL, |r| {
                Ok(StateModel { name: r.string("name")?, track_names: r.strings("trackNames")? })
            })?;
        }
        actor.channels = self.array("channels", smallest::CHANNEL, Self::channel)?;
        if self.version >= since::BONES {
            actor.graphic_object_names = self.strings("graphicObjectNames")?;
        }
        Ok(Some(actor))
    }

    fn documented_parts(&mut self, actor: &mut ActorModel) -> Read<()> {
        if self.version >= since::BONES {
            actor.bones = self.array("bones", smallest::BONE, Self::bone)?;
        }
        if self.version >= since::EVENT_EMITTERS {
            actor.event_emitters =
                self.array("eventEmitters", smallest::EVENT_EMITTER, Self::event_emitter)?;
        }
        actor.sound_emitters = self.array("soundEmitters", smallest::SOUND_EMITTER, Self::sound_emitter)?;
        Ok(())
    }

    fn father(&mut self) -> Read<i16> {
        self.cursor.u16("fatherIndex").map(u16::cast_signed)
    }

    fn bone(&mut self) -> Read<Bone> {
        let (name, position_name) = (self.string("name")?, self.string("positionName")?);
        let rotation_name = self.string("rotationName")?;
        let names = match self.version >= since::SCALE_NAMES {
            true => Some((
                self.string("scaleValueName")?,
                self.string("scaleOrientationName")?,
                self.bool("useScale")?,
            )),
            false => None,
        };
        let father = self.father()?;
        let position = self.cursor.f32s("defaultPosition")?;
        let rotation = self.cursor.f32s("defaultRotation")?;
        let (value, orientation) = (self.cursor.f32s("scale value")?, self.cursor.f32s("scale orientation")?);
        let scale = match names {
            Some((value_name, orientation_name, use_scale)) => {
                BoneScale::Named { value_name, orientation_name, use_scale, value, orientation }
            }
            None => {
                BoneScale::Fixed { value, orientation, determinant: self.cursor.f32("matrixDeterminant")? }
            }
        };
        Ok(Bone { name, position_name, rotation_name, father, position, rotation, scale })
    }

    fn bounds(&mut self) -> Read<Option<Bounds>> {
        if self.version < since::BOUNDS {
            return Ok(None);
        }
        Ok(Some([self.cursor.f32s("box minimum")?, self.cursor.f32s("box maximum")?]))
    }

    fn event_emitter(&mut self) -> Read<EventEmitter> {
        Ok(EventEmitter {
            name: self.string("name")?,
            position_name: self.string("positionName")?,
            rotation_name: self.string("rotationName")?,
            father: self.father()?,
            position: self.cursor.f32s("defaultPosition")?,
            rotation: self.cursor.f32s("defaultRotation")?,
            bounds: self.bounds()?,
            event_track_names: self.strings("eventTrackNames")?,
        })
    }

    fn sound_emitter(&mut self) -> Read<SoundEmitter> {
        Ok(SoundEmitter {
            name: self.string("name")?,
            position_name: self.string("positionName")?,
            father: self.father()?,
            position: self.cursor.f32s("defaultPosition")?,
            bounds: self.bounds()?,
            sound_track_names: self.strings("soundTrackNames")?,
        })
    }

    fn ids(&mut self, name: &'static str) -> Read<Vec<u16>> {
        self.array(name, smallest::ID, |r| r.cursor.u16("id"))
    }

    fn channel(&mut self) -> Read<MeshChannel> {
        let mut channel = MeshChannel { name: self.string("name")?, ..MeshChannel::default() };
        if self.version >= since::MODELS {
            channel.is_deformable = self.bool("isDeformable")?;
            channel.is_multiple_meshes = self.bool("isMultipleMeshes")?;
            channel.is_visibility_animated = self.bool("isVisibilityAnimated")?;
            channel.bone_ids = self.ids("boneIDs")?;
            channel.graphic_object_ids = self.ids("graphicObjectIDs")?;
            return Ok(channel);
        }
        if self.version >= since::BONES {
            channel.graphic_object_ids = self.ids("graphicObjectIDs")?;
        }
        channel.bone_ids = self.ids("boneIDs")?;
        channel.is_deformable = match self.version >= since::IS_DEFORMABLE {
            true => self.bool("isDeformable")?,
            false => channel.bone_ids.len() > 1,
        };
        Ok(channel)
    }
}
