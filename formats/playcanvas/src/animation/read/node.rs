//! Nodes, keys and their components.

use super::super::codes;
use super::super::context::{Context, Level};
use super::super::document::{Component, Components, Key, KeyNames, Node, Rotation, Version};
use super::super::spans::{Record, Seen};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::Fault;

/// The member `nodes`, in the shape of the version met so far.
pub(super) fn nodes<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<()> {
    cursor.want(JsonKind::Array, codes::NODES.code, "an array")?;
    context.animation.nodes.clear();
    context.record.begin_nodes();
    context.see(cursor, Seen::Nodes, |cursor, context| {
        cursor.array(|cursor, index| {
            context.node = index;
            context.keep(cursor, Level::Node, node)
        })
    })
}

fn node<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<()> {
    let start = cursor.clone();
    let earlier_faults = context.dropped.len();
    let mut node = Node::default();
    context.record.begin_node();
    let result = context.see(cursor, Seen::Node, |cursor, context| members(cursor, context, &mut node));
    for fault in context.dropped.iter_mut().skip(earlier_faults) {
        fault.path.clone_from(&node.name);
    }
    match result {
        Ok(()) => {
            context.animation.nodes.push(node);
            Ok(())
        }
        Err(mut fault) => {
            fault.path = if node.name.is_empty() { name_ahead(start) } else { node.name.clone() };
            if fault.code == codes::SYNTAX.code {
                context.animation.nodes.push(node);
            } else {
                context.record.forget_node();
            }
            Err(fault)
        }
    }
}

/// The name of the node at the cursor, as far as the text is readable; for messages.
#[cold]
fn name_ahead(mut cursor: JsonCursor<'_>) -> String {
    let mut actual = String::new();
    let _ = cursor.object(|cursor, name| match name {
        "name" => {
            actual = name_text(cursor)?.unwrap_or_default();
            Ok(())
        }
        _ => cursor.skip().map(drop),
    });
    actual
}

fn members<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, node: &mut Node) -> Read<()> {
    cursor.want(JsonKind::Object, codes::NODE.code, "an object")?;
    let hoists = context.animation.version != Version::V3;
    // Of `keys` and a `default` that is such a list, the first that is one.
    let (mut has_keys, mut defaults_to_keys) = (false, false);
    cursor.object(|cursor, name| match name {
        "name" => {
            node.name = context.keep(cursor, Level::Member(name), |cursor, context| {
                context.see(cursor, Seen::NodeName, |cursor, _| {
                    let mut before = cursor.clone();
                    name_text(cursor)?.ok_or_else(|| before.fault_here(codes::NODE.code, "a name (a string)"))
                })
            })?;
            Ok(())
        }
        "defaults" if hoists => {
            node.defaults = defaults(cursor, context, name, Seen::DefaultsValue)?.unwrap_or_default();
            Ok(())
        }
        "default" if hoists && !has_keys && lists_keys(cursor)? => {
            defaults_to_keys = true;
            context.keep(cursor, Level::Member(name), |cursor, context| {
                context.record.begin_keys();
                let start = start::<R>(cursor)?;
                context.see(cursor, Seen::Keys, |cursor, context| keys(cursor, context, &mut node.keys))?;
                context.record.see(Seen::Default, start..cursor.position(), 0);
                Ok(())
            })
        }
        "default" if hoists => {
            node.default = defaults(cursor, context, name, Seen::DefaultValue)?.map(Box::new);
            Ok(())
        }
        "default" => context.see(cursor, Seen::Default, |cursor, _| cursor.skip().map(drop)),
        "keys" if defaults_to_keys && cursor.peek()? == JsonKind::Null => cursor.null(),
        "keys" => context.keep(cursor, Level::Member(name), |cursor, context| {
            has_keys = cursor.peek()? == JsonKind::Array;
            context.record.begin_keys();
            context.see(cursor, Seen::Keys, |cursor, context| keys(cursor, context, &mut node.keys))
        }),
        _ => cursor.skip().map(drop),
    })
}

/// True if the next value is a list of keys, recognised by an object as its first item.
fn lists_keys(cursor: &JsonCursor<'_>) -> Read<bool> {
    let (mut ahead, mut has_object) = (cursor.clone(), false);
    if ahead.peek()? != JsonKind::Array {
        return Ok(false);
    }
    // A fault further on is met again where the list is read or skipped.
    let _ = ahead.array(|cursor, index| {
        if index == 0 {
            has_object = cursor.peek()? == JsonKind::Object;
        }
        match index {
            0 => cursor.skip().map(drop),
            _ => Err(cursor.fault_here(codes::KEY.code, "no more")),
        }
    });
    Ok(has_object)
}

/// A string, or the text of a number; `None` for any other value.
pub(super) fn name_text(cursor: &mut JsonCursor<'_>) -> Read<Option<String>> {
    match cursor.peek()? {
        JsonKind::String => Ok(Some(cursor.string()?.into_owned())),
        JsonKind::Number => {
            let span = cursor.skip()?;
            Ok(cursor.text().get(span).map(str::to_owned))
        }
        _ => cursor.skip().map(|_| None),
    }
}

/// `defaults` or `default`; `None` for values other than objects.
fn defaults<R: Record>(
    cursor: &mut JsonCursor<'_>,
    context: &mut Context<R>,
    member: &str,
    seen: fn(Component) -> Seen,
) -> Read<Option<Components>> {
    let whole = if member == "default" { Seen::Default } else { Seen::Defaults };
    context.record.begin_defaults(whole);
    context.see(cursor, whole, |cursor, context| {
        if cursor.peek()? != JsonKind::Object {
            return cursor.skip().map(|_| None);
        }
        let mut components = Components::default();
        cursor.object(|cursor, name| {
            let Some(component) = Component::from_member(name, KeyNames::Short) else {
                return cursor.skip().map(drop);
            };
            *components.slot(component) =
                context.keep(cursor, Level::Default(member, name), |cursor, context| {
                    let start = start::<R>(cursor)?;
                    let (value, elements) = truthy(cursor)?;
                    context.record.see(seen(component), start..cursor.position(), elements);
                    Ok(value)
                })?;
            Ok(())
        })?;
        Ok(Some(components))
    })
}

/// A default counts if JavaScript takes it for true; then it must be three numbers.
fn truthy(cursor: &mut JsonCursor<'_>) -> Read<(Option<[f64; 3]>, usize)> {
    let mut before = cursor.clone();
    let counts = match cursor.peek()? {
        JsonKind::Array => {
            let mut value = [0.0; 3];
            let elements = cursor.vector(codes::COMPONENT.code, &mut value)?;
            return Ok((Some(value), elements));
        }
        JsonKind::Null => {
            cursor.null()?;
            false
        }
        JsonKind::Bool => cursor.bool()?,
        JsonKind::Number => cursor.number()? != 0.0,
        JsonKind::String => !cursor.string()?.is_empty(),
        JsonKind::Object => true,
    };
    match counts {
        true => Err(before.fault_here(codes::COMPONENT.code, "an array of at least 3 numbers")),
        false => Ok((None, 0)),
    }
}

fn keys<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, keys: &mut Vec<Key>) -> Read<()> {
    keys.clear();
    match cursor.peek()? {
        JsonKind::Null => cursor.null(),
        JsonKind::Array => key_list(cursor, context, keys),
        _ => Err(cursor.fault_here(codes::KEYS.code, "an array or null")),
    }
}

/// Largest reserved number of keys; most nodes of a file have as many keys as the node before.
const MOST_KEYS_FORESEEN: usize = 1024;

fn key_list<R: Record>(
    cursor: &mut JsonCursor<'_>,
    context: &mut Context<R>,
    keys: &mut Vec<Key>,
) -> Read<()> {
    keys.reserve_exact(context.keys_before.min(MOST_KEYS_FORESEEN));
    let result = cursor.array(|cursor, index| {
        context.key = index;
        context.record.begin_key();
        keys.push(Key::default());
        let Some(slot) = keys.last_mut() else { return Ok(()) };
        match context.keep(cursor, Level::Key, |cursor, context| key(cursor, context, slot).map(|()| true)) {
            Ok(true) => Ok(()),
            dropped => {
                keys.pop();
                context.record.forget_key();
                dropped.map(drop)
            }
        }
    });
    context.keys_before = keys.len();
    if keys.len() < keys.capacity() / 2 {
        keys.shrink_to_fit();
    }
    result
}

#[inline]
fn key<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, key: &mut Key) -> Read<()> {
    cursor.want(JsonKind::Object, codes::KEY.code, "an object")?;
    key.names = match context.animation.version {
        Version::V4 => KeyNames::Short,
        Version::V3 => KeyNames::Long,
        Version::Absent if cursor.has_member("t")? => KeyNames::Short,
        Version::Absent => KeyNames::Long,
    };
    context.see(cursor, Seen::Key, |cursor, context| match key.names {
        KeyNames::Short => short_key(cursor, context, key),
        KeyNames::Long => long_key(cursor, context, key),
    })
}

#[inline]
fn short_key<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, key: &mut Key) -> Read<()> {
    let start = cursor.position();
    let mut timed = false;
    cursor.object(|cursor, name| match name {
        "t" => {
            timed = true;
            time(cursor, context, key)
        }
        "p" => vector(cursor, context, name, Component::Position, &mut key.position),
        "r" => euler(cursor, context, name, key),
        "s" => vector(cursor, context, name, Component::Scale, &mut key.scale),
        _ => cursor.skip().map(drop),
    })?;
    if timed { Ok(()) } else { Err(no_time(cursor, start, "t")) }
}

fn long_key<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, key: &mut Key) -> Read<()> {
    let start = cursor.position();
    let mut timed = false;
    let mut quaternion = None;
    cursor.object(|cursor, name| match name {
        "time" => {
            timed = true;
            time(cursor, context, key)
        }
        "pos" => vector(cursor, context, name, Component::Position, &mut key.position),
        "rot" => euler(cursor, context, name, key),
        "scale" => vector(cursor, context, name, Component::Scale, &mut key.scale),
        "quat" => {
            // Only looked at if there is no `rot`; beside one it is a member that nobody reads.
            quaternion = Some(cursor.clone());
            cursor.skip().map(drop)
        }
        _ => cursor.skip().map(drop),
    })?;
    if !timed {
        return Err(no_time(cursor, start, "time"));
    }
    if let (None, Some(mut at)) = (key.rotation, quaternion) {
        key.rotation = self::quaternion(&mut at, context).map_err(|fault| fault.under("quat"))?;
    }
    Ok(())
}

fn time<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>, key: &mut Key) -> Read<()> {
    key.time = context.see(cursor, Seen::Time, |cursor, _| match cursor.peek()? {
        JsonKind::Number => cursor.number(),
        _ => Err(cursor.fault_here(codes::TIME.code, "a number of seconds")),
    })?;
    Ok(())
}

#[cold]
fn no_time(cursor: &JsonCursor<'_>, start: usize, member: &str) -> Box<Fault> {
    cursor.fault_at(start, codes::TIME.code, format!("a member `{member}`"), "no such member")
}

/// A component of a key: three numbers, or null, which means the same as absent.
#[inline]
fn vector<R: Record>(
    cursor: &mut JsonCursor<'_>,
    context: &mut Context<R>,
    member: &str,
    component: Component,
    slot: &mut Option<[f64; 3]>,
) -> Read<()> {
    *slot = None;
    context.keep(cursor, Level::Component(member), |cursor, context| {
        let start = start::<R>(cursor)?;
        let elements = numbers(cursor, slot)?;
        context.record.see(Seen::Value(component), start..cursor.position(), elements);
        Ok(())
    })
}

#[inline]
fn euler<R: Record>(
    cursor: &mut JsonCursor<'_>,
    context: &mut Context<R>,
    member: &str,
    key: &mut Key,
) -> Read<()> {
    let mut angles = None;
    vector(cursor, context, member, Component::Rotation, &mut angles)?;
    key.rotation = angles.map(Rotation::Euler);
    Ok(())
}

fn quaternion<R: Record>(cursor: &mut JsonCursor<'_>, context: &mut Context<R>) -> Read<Option<Rotation>> {
    context.keep(cursor, Level::Component("quat"), |cursor, context| {
        let start = start::<R>(cursor)?;
        let mut value = None;
        let elements = numbers::<4>(cursor, &mut value)?;
        context.record.see(Seen::Quaternion, start..cursor.position(), elements);
        Ok(value.map(Rotation::Quaternion))
    })
}

/// Fills `slot`, unless there is null; yields how many elements there are. The slot is empty after a fault.
#[inline]
fn numbers<const N: usize>(cursor: &mut JsonCursor<'_>, slot: &mut Option<[f64; N]>) -> Read<usize> {
    if cursor.peek()? == JsonKind::Null {
        return cursor.null().map(|()| 0);
    }
    let mut values = [0.0; N];
    let elements = cursor.vector(codes::COMPONENT.code, &mut values)?;
    *slot = Some(values);
    Ok(elements)
}

/// Start of the next value; only found out if starts are recorded.
#[inline]
fn start<R: Record>(cursor: &mut JsonCursor<'_>) -> Read<usize> {
    if R::ACTIVE {
        cursor.peek()?;
    }
    Ok(cursor.position())
}
