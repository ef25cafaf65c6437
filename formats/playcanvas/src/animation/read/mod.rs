//! Text to [`Document`]: one pass over the text, straight into typed columns.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod node;

use super::codes;
use super::context::{Context, Level};
use super::document::{Document, Version};
use super::spans::{Record, Seen};
use crate::comments::blanked;
use crate::place::in_words;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind, NumberStyle};
use dopesheet_core::diag::{Fault, Place, ReadError, Report};
use dopesheet_core::format::{Format, ReadOptions, Source, check_length};
use node::{name_text, nodes};

pub(super) fn read(
    source: &Source<'_>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Document, ReadError> {
    let info = &super::PlayCanvas::INFO;
    check_length(info, codes::SYNTAX.code, source, &options.limits)?;
    let fail = |fault: Box<Fault>| ReadError::new(info.id, in_words(*fault));
    let cursor = JsonCursor::new(source.main, codes::JSON).map_err(fail)?;
    let text = cursor.text();
    let mut context = Context::<()>::new(options.lenient);
    if let Some(start) = parse(text, &mut context).map_err(fail)? {
        report.info(*cursor.fault_at(
            start,
            codes::COMMENTS.code,
            "JSON, which has no comments",
            "a comment",
        ));
    }
    let damaged = !context.dropped.is_empty();
    for fault in context.dropped {
        report.error(in_words(fault));
    }
    Ok(Document {
        source: Some(text.to_owned()),
        animation: context.animation,
        edited: false,
        damaged,
        numbers: NumberStyle::ShortestF64,
    })
}

/// Reads a whole text into `context`. Yields the start of the first comment, if the text has comments.
pub(super) fn parse<R: Record>(text: &str, context: &mut Context<R>) -> Read<Option<usize>> {
    let mut seen = RootMembers::default();
    let is_syntax = |fault: &Fault| fault.code == codes::SYNTAX.code;
    let mut whole = root(&mut JsonCursor::from_text(text, codes::JSON), context, &mut seen);
    let mut comment = None;
    // Few texts have comments; all others are read once.
    if whole.as_ref().is_err_and(|fault| is_syntax(fault))
        && let Some((start, blank)) = blanked(text)
    {
        *context = Context::new(context.lenient);
        (comment, seen) = (Some(start), RootMembers::default());
        whole = root(&mut JsonCursor::from_text(&blank, codes::JSON), context, &mut seen);
    }
    match whole {
        Err(fault) if context.lenient && is_syntax(&fault) && seen.animation => {
            // What stands before the place where the text breaks is kept.
            context.dropped.push(*fault);
        }
        other => other?,
    }
    Ok(comment)
}

/// Members of the root, as far as they tell the kinds of PlayCanvas JSON apart.
#[derive(Debug, Default)]
struct RootMembers {
    animation: bool,
    other: Option<&'static str>,
}

fn root<R: Record>(
    cursor: &mut JsonCursor<'_>,
    context: &mut Context<R>,
    seen: &mut RootMembers,
) -> Read<()> {
    let start = cursor.want(JsonKind::Object, codes::ROOT.code, "an object")?;
    cursor.object(|cursor, name| match name {
        "animation" => {
            seen.animation = true;
            *context = Context::new(context.lenient);
            context.see(cursor, Seen::Animation, animation)
        }
        "model" => skip_as(cursor, seen, "a model (member `model`)"),
        "curves" | "inputs" | "outputs" => skip_as(cursor, seen, "an anim clip (member `curves`)"),
        "layers" | "parameters" => skip_as(cursor, seen, "an anim state graph (member `layers`)"),
        _ => cursor.skip().map(drop),
    })?;
    cursor.end()?;
    if seen.animation {
        return Ok(());
    }
    let actual = seen.other.unwrap_or("no such member");
    Err(cursor.fault_at(start, codes::ANIMATION.code, "an object `animation`", actual))
}

fn skip_as(cursor: &mut JsonCursor<'_>, seen: &mut RootMembers, what: &'static str) -> Read<()> {
    seen.other.get_or_insert(what);
    cursor.skip().map(drop)
}

/// The member `nodes` at its first reading, for reading it again in another shape if a later member requires
/// this.
struct Nodes<'a> {
    at: JsonCursor<'a>,
    read_as: Version,
    fault: Option<Box<Fault>>,
}

fn animation<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<()> {
    let start = cursor.want(JsonKind::Object, codes::ANIMATION.code, "an object")?;
    let mut met_nodes: Option<Nodes<'_>> = None;
    cursor.object(|cursor, name| match name {
        "version" => {
            context.animation.version = context.keep(cursor, Level::Animation(name), version)?;
            Ok(())
        }
        "name" => {
            context.animation.name =
                context.see(cursor, Seen::Name, |c, _| name_text(c))?.unwrap_or_default();
            Ok(())
        }
        "duration" => {
            context.animation.duration = context.keep(cursor, Level::Animation(name), duration)?;
            Ok(())
        }
        "nodes" => {
            let mut met = Nodes { at: cursor.clone(), read_as: context.animation.version, fault: None };
            if let Err(fault) = context.keep(cursor, Level::Animation(name), nodes) {
                if met.read_as != Version::Absent || fault.code == codes::SYNTAX.code {
                    return Err(fault);
                }
                *cursor = met.at.clone();
                cursor.skip()?;
                met.fault = Some(fault.under(name));
            }
            met_nodes = Some(met);
            Ok(())
        }
        _ => cursor.skip().map(drop),
    })?;
    match met_nodes {
        Some(met) => finish_nodes(met, context),
        None if context.lenient => {
            let fault = cursor.fault_at(start, codes::NODES.code, "an array `nodes`", "no such member");
            context.dropped.push(*fault.under("animation"));
            Ok(())
        }
        None => Err(cursor.fault_at(start, codes::NODES.code, "an array `nodes`", "no such member")),
    }
}

/// Reads the nodes again if a version behind them requires another shape.
fn finish_nodes<R: Record>(mut met: Nodes<'_>, context: &mut Context<R>) -> Read<()> {
    if met.read_as == context.animation.version {
        return met.fault.map_or(Ok(()), Err);
    }
    context.dropped.retain(
        |f| !matches!(&f.place, Place::Text { pointer, .. } if pointer.starts_with("/animation/nodes")),
    );
    context.keep(&mut met.at, Level::Animation("nodes"), nodes).map_err(|fault| fault.under("nodes"))
}

fn version<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<Version> {
    context.see(cursor, Seen::Version, |cursor, _| {
        let before = cursor.clone();
        let version = match cursor.peek()? {
            JsonKind::Null => cursor.null().map(|()| Some(Version::Absent))?,
            JsonKind::Number => {
                let number = cursor.number()?;
                [(3.0, Version::V3), (4.0, Version::V4)].into_iter().find(|v| v.0 == number).map(|v| v.1)
            }
            JsonKind::String => match cursor.string()?.as_ref() {
                "3" => Some(Version::V3),
                "4" => Some(Version::V4),
                _ => None,
            },
            _ => None,
        };
        version.ok_or_else(|| before.clone().fault_here(codes::VERSION.code, "version 3 or 4"))
    })
}

fn duration<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<Option<f64>> {
    const EXPECTED: &str = "a number of seconds, 0 or more";
    context.see(cursor, Seen::Duration, |cursor, _| {
        let before = cursor.clone();
        match cursor.peek()? {
            JsonKind::Null => cursor.null().map(|()| None),
            JsonKind::Number => match cursor.number()? {
                negative if negative < 0.0 => Err(before.clone().fault_here(codes::DURATION.code, EXPECTED)),
                seconds => Ok(Some(seconds)),
            },
            _ => Err(cursor.fault_here(codes::DURATION.code, EXPECTED)),
        }
    })
}
