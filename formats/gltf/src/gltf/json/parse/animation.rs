//! Animations.

use super::super::parts::{Animation, AnimationSampler, Channel, Index, Interpolation, Path};
use super::value::{borrowed, boxed, index, list, members, missing, object, position};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;

pub(super) fn animation(c: &mut JsonCursor<'_>) -> Read<Animation> {
    let mut animation = Animation::default();
    members! { c, name:
        "name" => animation.name = boxed(c)?,
        "channels" => animation.channels = list(c, channel)?,
        "samplers" => animation.samplers = list(c, sampler)?,
        "extras" => animation.extras = Some(c.skip()?),
    }
    Ok(animation)
}

fn channel(c: &mut JsonCursor<'_>) -> Read<Channel> {
    let start = position(c)?;
    let (mut sampler, mut goal) = (None, None);
    members! { c, name:
        "sampler" => sampler = Some(index(c)?),
        "target" => goal = Some(target(c)?),
    }
    let sampler = sampler.ok_or_else(|| missing(c, start, "sampler"))?;
    let (node, path, pointer) = goal.ok_or_else(|| missing(c, start, "target"))?;
    Ok(Channel { sampler, node, path, pointer })
}

type Target = (Option<Index>, Path, Option<Box<str>>);

fn target(c: &mut JsonCursor<'_>) -> Read<Target> {
    let start = position(c)?;
    let (mut node, mut path, mut pointer) = (None, None, None);
    members! { c, name:
        "node" => node = Some(index(c)?),
        "path" => path = Some(Path::from_word(&borrowed(c)?)),
        "extensions" => object(c, |c, name| match name {
            "KHR_animation_pointer" => object(c, |c, name| match name {
                "pointer" => {
                    pointer = boxed(c)?;
                    Ok(())
                }
                _ => c.skip().map(drop),
            }),
            _ => c.skip().map(drop),
        })?,
    }
    Ok((node, path.ok_or_else(|| missing(c, start, "path"))?, pointer))
}

fn sampler(c: &mut JsonCursor<'_>) -> Read<AnimationSampler> {
    let start = position(c)?;
    let (mut input, mut output, mut interpolation) = (None, None, Interpolation::Linear);
    members! { c, name:
        "input" => input = Some(index(c)?),
        "output" => output = Some(index(c)?),
        "interpolation" => {
            interpolation = match &*borrowed(c)? {
                "STEP" => Interpolation::Step,
                "LINEAR" => Interpolation::Linear,
                "CUBICSPLINE" => Interpolation::CubicSpline,
                other => Interpolation::Other(other.into()),
            };
        }
    }
    Ok(AnimationSampler {
        input: input.ok_or_else(|| missing(c, start, "input"))?,
        output: output.ok_or_else(|| missing(c, start, "output"))?,
        interpolation,
    })
}
