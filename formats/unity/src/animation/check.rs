//! Checks of a document; one function per code not noticed during reading.

use super::codes;
use super::curves::{IN, OUT, order};
use super::document::{AnimationCurve, Clip, Document, Keyframe};
use super::muscles::is_muscle;
use super::read::{Parsed, parse};
use super::spans::{ClipList, ClipSpans, Item, Span};
use super::splice::text;
use super::values::{CURVE_HEAD, FLOAT_HEAD, TRANSFORM_HEAD, key_width};
use dopesheet_core::bytes::text::locate;
use dopesheet_core::diag::{Fault, Report};
use dopesheet_core::format::{Check, SightingsByCode};
use dopesheet_core::words::counted;
use std::borrow::Cow;
use std::collections::HashSet;

/// Checks the text to be written for the document, because other programs see that text.
pub(super) fn check(document: &Document, report: &mut Report) {
    let text = match text(document) {
        Ok(text) => text,
        Err(fault) => return report.error(fault),
    };
    // What a lenient reader left out was reported when it was left out.
    let Ok(parsed) = parse(&text, document.0.is_damaged(), &mut Report::default()) else { return };
    let Parsed { file, spans, quirks, other, .. } = parsed;
    quirks.report(report);
    if let Some(at) = other {
        let actual = match file.other_objects {
            1 => "1 object of another class".to_owned(),
            count => format!("{count} objects of other classes"),
        };
        let fault =
            Fault::new(codes::OTHER_OBJECTS.code, locate(&text, at, String::new()), "clips only", actual);
        report.push(codes::OTHER_OBJECTS.severity, fault);
    }
    for (index, (clip, spans)) in file.clips.iter().zip(&spans).enumerate() {
        let mut checked = CheckedClip { text: &text, index, clip, spans, seen: SightingsByCode::default() };
        checked.members();
        checked.curves();
        checked.targets();
        checked.events();
        checked.seen.report(report);
    }
}

/// The keys of a curve without their width.
struct KeyNumbers {
    times: Vec<f32>,
    /// Values, slopes and weights of each key, component by component: value, in slope, out slope, in weight, out weight.
    numbers: Vec<Vec<[f32; 5]>>,
    modes: Vec<i64>,
}

impl KeyNumbers {
    fn of<const N: usize>(curve: &AnimationCurve<N>) -> Self {
        let row = |key: &Keyframe<N>| {
            let component = |n: usize| {
                [key.value[n], key.in_slope[n], key.out_slope[n], key.in_weight[n], key.out_weight[n]]
            };
            (0..N).map(component).collect()
        };
        Self {
            times: curve.keys.iter().map(|key| key.time).collect(),
            numbers: curve.keys.iter().map(row).collect(),
            modes: curve.keys.iter().map(|key| key.weighted_mode).collect(),
        }
    }
}

/// Place of a curve, for messages.
struct At<'a> {
    item: Option<&'a Item>,
    path: String,
    /// Number of values of the item in front of the values of the curve.
    head: usize,
    width: usize,
}

impl At<'_> {
    /// Span of a value; `None` if the value is not in the text.
    fn span(&self, value: usize) -> Option<Span> {
        self.item.and_then(|item| item.values.get(value)?.clone())
    }

    /// Place of a value of a key, by its position in the order of values.
    fn of_key(&self, key: usize, value: usize) -> Option<Span> {
        self.span(self.head + CURVE_HEAD + key * self.width + value)
    }
}

/// A clip under check, its position in the text, the spans of its parts, and its findings so far.
struct CheckedClip<'a> {
    text: &'a [u8],
    index: usize,
    clip: &'a Clip,
    spans: &'a ClipSpans,
    seen: SightingsByCode,
}

impl<'a> CheckedClip<'a> {
    fn add(
        &mut self,
        check: Check,
        span: Option<Span>,
        path: impl FnOnce() -> String,
        expected: impl Into<Cow<'static, str>>,
        found: impl FnOnce() -> String,
    ) {
        let (text, start) = (self.text, self.spans.start);
        let index = self.index;
        self.seen.add(check, || {
            let at = span.map_or(start, |span| span.start);
            let path = match path() {
                path if path.is_empty() => format!("clips[{index}]"),
                path => format!("clips[{index}].{path}"),
            };
            Fault::new("", locate(text, at, path), expected, found())
        });
    }

    /// Single values of the clip.
    fn members(&mut self) {
        let (clip, numbers) = (self.clip, &self.spans.numbers);
        if clip.sample_rate.is_nan() || clip.sample_rate <= 0.0 || clip.sample_rate.is_infinite() {
            let actual = || clip.sample_rate.to_string();
            self.add(codes::SAMPLE_RATE, numbers.sample_rate.clone(), String::new, "a rate above 0", actual);
        }
        if clip.wrap_mode == 4 {
            let actual = || "4".to_owned();
            self.add(codes::PING_PONG, numbers.wrap_mode.clone(), String::new, "another wrap mode", actual);
        }
        if clip.compressed_rotation_curves > 0 {
            let actual = || counted(clip.compressed_rotation_curves, "packed curve");
            self.add(codes::COMPRESSED, None, String::new, "rotations as keys", actual);
        }
        if !clip.object_curves.is_empty() {
            let actual = || counted(clip.object_curves.len(), "reference curve");
            let section = self.spans.sections[ClipList::Object as usize].whole.clone();
            self.add(codes::OBJECT_CURVES, section, || "m_PPtrCurves".into(), "numeric curves", actual);
        }
        if !self.spans.has_events {
            let end = Some(self.spans.end..self.spans.end);
            self.add(codes::END, end, String::new, "the member m_Events", || "the end of the clip".into());
        }
    }

    fn curves(&mut self) {
        let clip = self.clip;
        for (index, listed) in clip.rotation_curves.iter().enumerate() {
            let at = self.at(ClipList::Rotation, index, TRANSFORM_HEAD, key_width::<4>());
            self.curve(&listed.curve, &at);
            self.rotation(&listed.curve, &at);
        }
        for (index, listed) in clip.euler_curves.iter().enumerate() {
            let at = self.at(ClipList::Euler, index, TRANSFORM_HEAD, key_width::<3>());
            self.curve(&listed.curve, &at);
            if order(listed.curve.rotation_order).is_none() {
                let actual = || listed.curve.rotation_order.to_string();
                let path = || at.path.clone();
                self.add(codes::ROTATION_ORDER, at.span(at.head + 2), path, "0 to 5", actual);
            }
        }
        for (list, curves) in
            [(ClipList::Position, &clip.position_curves), (ClipList::Scale, &clip.scale_curves)]
        {
            for (index, listed) in curves.iter().enumerate() {
                let at = self.at(list, index, TRANSFORM_HEAD, key_width::<3>());
                self.curve(&listed.curve, &at);
            }
        }
        for (index, listed) in clip.float_curves.iter().enumerate() {
            let at = self.at(ClipList::Float, index, FLOAT_HEAD, key_width::<1>());
            self.curve(&listed.curve, &at);
            if is_muscle(listed) {
                let actual = || format!("{:?}, a humanoid muscle, which needs an avatar", listed.attribute);
                self.add(codes::HUMANOID, at.span(1), || at.path.clone(), "a property of an object", actual);
            }
        }
    }

    fn at(&self, list: ClipList, index: usize, head: usize, width: usize) -> At<'a> {
        let item = self.spans.sections[list as usize].items.get(index);
        At { item, path: format!("{}[{index}]", list.word()), head, width }
    }

    fn curve<const N: usize>(&mut self, curve: &AnimationCurve<N>, at: &At<'_>) {
        let keys = KeyNumbers::of(curve);
        if keys.times.is_empty() {
            self.add(codes::EMPTY_CURVE, at.span(0), || at.path.clone(), "keys", || "none".into());
        }
        for (position, mode) in [curve.pre_infinity, curve.post_infinity].into_iter().enumerate() {
            if !matches!(mode, 0..=2) {
                let span = at.span(at.head + position);
                self.add(codes::INFINITY, span, || at.path.clone(), "0, 1 or 2", || mode.to_string());
            }
        }
        self.times(&keys, at);
        self.numbers(&keys, at);
    }

    fn times(&mut self, keys: &KeyNumbers, at: &At<'_>) {
        let stop = self.clip.settings.stop_time;
        let mut last = f32::NEG_INFINITY;
        for (key, time) in keys.times.iter().copied().enumerate() {
            let path = || format!("{}.m_Curve[{key}].time", at.path);
            let span = at.of_key(key, 0);
            if !time.is_finite() {
                self.add(codes::NONFINITE_TIME, span, path, "a finite time", || time.to_string());
                continue;
            }
            if time < last {
                let actual = || format!("{time} after {last}");
                self.add(codes::UNSORTED_KEYS, span.clone(), path, "times that increase", actual);
            } else if time == last {
                let actual = || format!("{time} twice");
                self.add(codes::DUPLICATE_KEY_TIME, span.clone(), path, "times that increase", actual);
            }
            // A clip that the editor has not saved has no stop time.
            if stop > 0.0 && time > stop && !is_near(time, stop) {
                let expected = format!("times up to {stop}, the end of the clip");
                self.add(codes::TIME_RANGE, span, path, expected, || time.to_string());
            }
            last = last.max(time);
        }
    }

    fn numbers(&mut self, keys: &KeyNumbers, at: &At<'_>) {
        for (key, (row, mode)) in keys.numbers.iter().zip(&keys.modes).enumerate() {
            if !matches!(mode, 0..=3) {
                let path = || format!("{}.m_Curve[{key}].weightedMode", at.path);
                self.add(codes::WEIGHTED_MODE, at.of_key(key, 2), path, "0 to 3", || mode.to_string());
            }
            let counts = [mode & IN != 0, mode & OUT != 0];
            for (component, numbers) in row.iter().enumerate() {
                let [value, slopes @ .., in_weight, out_weight] = *numbers;
                let span = |list: usize| at.of_key(key, 3 + row.len() * list + component);
                let path = |member: &str| format!("{}.m_Curve[{key}].{member}", at.path);
                if !value.is_finite() {
                    let path = || path("value");
                    self.add(codes::NONFINITE_VALUE, span(0), path, "a finite number", || value.to_string());
                }
                for (list, slope) in slopes.into_iter().enumerate().filter(|(_, slope)| slope.is_nan()) {
                    let path = || path(if list == 0 { "inSlope" } else { "outSlope" });
                    let actual = || slope.to_string();
                    self.add(codes::NONFINITE_TANGENT, span(1 + list), path, "a number", actual);
                }
                for (list, weight) in [in_weight, out_weight].into_iter().enumerate() {
                    let path = || path(if list == 0 { "inWeight" } else { "outWeight" });
                    let actual = || weight.to_string();
                    match counts[list] {
                        true if !weight.is_finite() => {
                            self.add(
                                codes::NONFINITE_WEIGHT,
                                span(3 + list),
                                path,
                                "a finite number",
                                actual,
                            );
                        }
                        true if !(0.0..=1.0).contains(&weight) => {
                            self.add(codes::WEIGHT_RANGE, span(3 + list), path, "0 to 1", actual);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Lengths and signs of quaternions.
    fn rotation(&mut self, curve: &AnimationCurve<4>, at: &At<'_>) {
        let mut last: Option<[f32; 4]> = None;
        for (key, stored) in curve.keys.iter().enumerate() {
            let norm = dot(&stored.value, &stored.value).sqrt();
            let path = || format!("{}.m_Curve[{key}].value", at.path);
            let span = at.of_key(key, 3);
            if norm.is_finite() && (norm - 1.0).abs() > LENGTH {
                let actual = || format!("one of length {norm}");
                self.add(codes::ROTATION_LENGTH, span.clone(), path, "a unit quaternion", actual);
            }
            let steps = stored.in_slope.iter().any(|slope| slope.is_infinite());
            if last.is_some_and(|last| dot(&last, &stored.value) < 0.0) && !steps {
                let actual =
                    || "the opposite sign: more than 90° from the previous key, as a quaternion".to_owned();
                self.add(codes::ROTATION_SIGN, span, path, "the sign of the previous key", actual);
            }
            last = Some(stored.value);
        }
    }

    /// Properties of objects moved by several curves.
    fn targets(&mut self) {
        let clip = self.clip;
        let mut seen: HashSet<(String, String)> = HashSet::new();
        let mut again: Vec<(ClipList, usize, String)> = Vec::new();
        let mut add = |list: ClipList, index: usize, path: &str, property: &str| {
            if !seen.insert((path.to_owned(), property.to_owned())) {
                again.push((list, index, format!("{property} of {path:?} again")));
            }
        };
        for (index, listed) in clip.rotation_curves.iter().enumerate() {
            add(ClipList::Rotation, index, &listed.path, "m_LocalRotation");
        }
        for (index, listed) in clip.euler_curves.iter().enumerate() {
            add(ClipList::Euler, index, &listed.path, "m_LocalRotation");
        }
        for (index, listed) in clip.position_curves.iter().enumerate() {
            add(ClipList::Position, index, &listed.path, "m_LocalPosition");
        }
        for (index, listed) in clip.scale_curves.iter().enumerate() {
            add(ClipList::Scale, index, &listed.path, "m_LocalScale");
        }
        for (index, listed) in clip.float_curves.iter().enumerate() {
            let property = moved(listed.class_id, listed.script.guid.as_deref(), &listed.attribute);
            add(ClipList::Float, index, &listed.path, &property);
        }
        for (list, index, actual) in again {
            let at = self.at(list, index, 0, 0);
            let path = || at.path.clone();
            self.add(
                codes::DUPLICATE_CURVE,
                at.span(0),
                path,
                "one curve for each property of an object",
                || actual,
            );
        }
        self.editor_curves(&seen);
    }

    /// Curves of the editor without a curve for playing.
    fn editor_curves(&mut self, played: &HashSet<(String, String)>) {
        let clip = self.clip;
        for (index, copy) in clip.editor_curves.iter().enumerate() {
            let transform = match copy.attribute.split('.').next().unwrap_or_default() {
                "localEulerAnglesRaw" | "localEulerAngles" | "localEulerAnglesBaked" => "m_LocalRotation",
                word => word,
            };
            let property = match copy.class_id {
                4 => transform.to_owned(),
                class => moved(class, copy.script.guid.as_deref(), &copy.attribute),
            };
            if !played.contains(&(copy.path.clone(), property)) {
                let at = self.at(ClipList::Editor, index, FLOAT_HEAD, key_width::<1>());
                let actual = || format!("{:?} of {:?}", copy.attribute, copy.path);
                let expected = "a playback curve as well";
                self.add(codes::EDITOR_CURVES, at.span(1), || at.path.clone(), expected, actual);
            }
        }
    }

    fn events(&mut self) {
        let mut last = f32::NEG_INFINITY;
        for (index, event) in self.clip.events.iter().enumerate() {
            let at = self.at(ClipList::Events, index, 0, 0);
            let path = || at.path.clone();
            if !event.time.is_finite() {
                let actual = || event.time.to_string();
                self.add(codes::NONFINITE_TIME, at.span(0), path, "a finite time", actual);
            } else if event.time < last {
                let actual = || format!("{} after {last}", event.time);
                self.add(codes::EVENT_ORDER, at.span(0), path, "times that increase", actual);
            } else {
                last = event.time;
            }
        }
    }
}

/// Property moved by a float curve, without its path.
fn moved(class_id: i64, guid: Option<&str>, attribute: &str) -> String {
    match guid {
        Some(guid) => format!("{attribute} (class {class_id}, script {guid})"),
        None => format!("{attribute} (class {class_id})"),
    }
}

/// Largest difference between 1 and the length of a unit quaternion.
const LENGTH: f64 = 1e-3;

fn dot(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// True if two times are equal except for the last digits of f32.
fn is_near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-5 * b.abs().max(1.0)
}
