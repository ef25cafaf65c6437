//! A second copy of the program in a Worker of the page: both sides of the talk between them.

use super::javascript::{memory, now_ms, text};
use crate::files::document::Document;
use crate::files::incoming::Incoming;
use crate::files::inputs::Inputs;
use crate::files::read_all;
use crate::work::{Cost, Done, Work};
use dopesheet::core::bytes::json;
use dopesheet::core::format::Output;
use eframe::egui::Context;
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that starts the program in a Worker, beside the page.
const SCRIPT: &str = "worker.js";
/// Message of a Worker that is ready for work.
const READY: &str = "ready";
/// Members of messages.
const WORK: &str = "work";
const DELIVERIES: &str = "deliveries";
const ANSWER: &str = "answer";
const MAIN: &str = "main";
const PARTS: &str = "parts";
const ERROR: &str = "error";
/// Text in place of the files of the library's puppet.
const PUPPET: &str = "puppet";

thread_local! {
    /// An idle Worker, still with the files of its last work.
    static IDLE: RefCell<Option<Hand>> = const { RefCell::new(None) };
    /// In a Worker: the documents of the last work, by their serial numbers.
    static KEPT: RefCell<HashMap<u32, Arc<Document>>> = RefCell::default();
}

/// A Worker, and the serial numbers of its documents.
struct Hand {
    worker: Worker,
    kept: Vec<u32>,
}

impl Hand {
    /// A new Worker; it sends a message when ready.
    fn new() -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        Ok(Self { worker: Worker::new_with_options(SCRIPT, &options)?, kept: Vec::new() })
    }
}

/// The answer of a Worker, once it is there.
type Answer = Rc<RefCell<Option<Result<Done, String>>>>;

/// Running work. Dropping this ends it.
pub(crate) struct Running {
    hand: Option<Hand>,
    answer: Answer,
    /// True after the answer.
    is_done: Rc<Cell<bool>>,
    // Closures that the Worker calls have to live as long.
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _broken: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(hand) = self.hand.take() else { return };
        hand.worker.set_onmessage(None);
        hand.worker.set_onerror(None);
        // One at work would go on with what nobody waits for any more.
        let left = if self.is_done.get() { IDLE.replace(Some(hand)) } else { Some(hand) };
        if let Some(left) = left {
            left.worker.terminate();
        }
    }
}

impl Running {
    /// Its result, once.
    pub(crate) fn poll(&self) -> Option<Result<Done, String>> {
        self.answer.borrow_mut().take()
    }
}

/// Starts work.
pub(crate) fn start(work: &Work, inputs: &Inputs, context: &Context) -> Result<Running, String> {
    begin(work, inputs, context).map_err(|error| text(&error))
}

fn begin(work: &Work, inputs: &Inputs, context: &Context) -> Result<Running, JsValue> {
    let idle = IDLE.take();
    let is_ready = idle.is_some();
    let mut hand = idle.map_or_else(Hand::new, Ok)?;
    let message = asked(work, inputs, &hand.kept)?;
    hand.kept = inputs.all().into_iter().flatten().map(|document| document.serial).collect();
    let (answer, is_done) = (Answer::default(), Rc::new(Cell::new(false)));
    let (worker, slot, done, repaint) =
        (hand.worker.clone(), Rc::clone(&answer), Rc::clone(&is_done), context.clone());
    let later = (!is_ready).then(|| message.clone());
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if data.as_string().as_deref() == Some(READY) {
            drop(later.as_ref().map(|message| worker.post_message(message)));
            return;
        }
        let result =
            answered(&data).unwrap_or_else(|| Err("expected an answer, found something else".to_owned()));
        slot.borrow_mut().get_or_insert(result);
        done.set(true);
        repaint.request_repaint();
    });
    let (slot, repaint) = (Rc::clone(&answer), context.clone());
    let broken = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
        let why = event.message();
        slot.borrow_mut().get_or_insert(Err(format!("The work stopped unexpectedly: {why}")));
        repaint.request_repaint();
    });
    hand.worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    hand.worker.set_onerror(Some(broken.as_ref().unchecked_ref()));
    match is_ready {
        true => hand.worker.post_message(&message)?,
        // The program itself, so that it is neither fetched nor compiled again.
        false => hand.worker.post_message(&wasm_bindgen::module())?,
    }
    Ok(Running { hand: Some(hand), answer, is_done, _heard: heard, _broken: broken })
}

fn object(members: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object.into())
}

/// The message for a Worker: the work, and for each input its serial number, its position, and its files unless the Worker has them.
fn asked(work: &Work, inputs: &Inputs, kept: &[u32]) -> Result<JsValue, JsValue> {
    let deliveries = Array::new();
    for document in inputs.all() {
        let Some(document) = document else {
            deliveries.push(&JsValue::NULL);
            continue;
        };
        let (mut files, mut position) = (JsValue::NULL, 0);
        if document.is_puppet {
            files = PUPPET.into();
        } else if let Some((all, own)) = document.origin.as_ref().filter(|_| !kept.contains(&document.serial))
        {
            files = all.iter().map(|file| named(&file.name, &file.bytes)).collect::<Array>().into();
            position = *own as u32;
        }
        deliveries.push(&Array::of3(&JsValue::from(document.serial), &JsValue::from(position), &files));
    }
    object(&[(WORK, work.to_json().to_string().into()), (DELIVERIES, deliveries.into())])
}

fn named(name: &str, bytes: &[u8]) -> Array {
    Array::of2(&name.into(), &Uint8Array::from(bytes))
}

fn unnamed(pair: &JsValue) -> Option<(String, Vec<u8>)> {
    let pair: Array = pair.clone().dyn_into().ok()?;
    Some((pair.get(0).as_string()?, Uint8Array::new(&pair.get(1)).to_vec()))
}

fn answered(data: &JsValue) -> Option<Result<Done, String>> {
    let member = |name: &str| Reflect::get(data, &name.into()).ok().filter(|value| !value.is_undefined());
    if let Some(error) = member(ERROR) {
        return Some(Err(error.as_string()?));
    }
    let output = member(MAIN).and_then(|main| {
        let parts: Array = member(PARTS)?.dyn_into().ok()?;
        let resources = parts.iter().map(|part| unnamed(&part)).collect::<Option<_>>()?;
        Some(Output { main: Uint8Array::new(&main).to_vec(), resources })
    });
    let answer = json::value(&member(ANSWER)?.as_string()?)?;
    Done::from_json(&answer, output).map(Ok)
}

/// Answers requests in a Worker, one after the other.
pub(crate) fn serve() -> ExitCode {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let port = scope.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let answer = done(&event.data()).and_then(|done| message(&done).map_err(|error| text(&error)));
        let answer = answer.or_else(|why| object(&[(ERROR, why.into())]));
        drop(answer.and_then(|answer| port.post_message(&answer)));
    });
    scope.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    drop(scope.post_message(&READY.into()));
    ExitCode::SUCCESS
}

fn done(data: &JsValue) -> Result<Done, String> {
    let start = now_ms();
    let strange = || "expected work and files, found something else".to_owned();
    let member = |name: &str| Reflect::get(data, &name.into()).ok();
    let work = member(WORK).and_then(|work| json::value(&work.as_string()?));
    let work = work.and_then(|work| Work::from_json(&work)).ok_or_else(strange)?;
    let deliveries: Array = member(DELIVERIES).and_then(|all| all.dyn_into().ok()).ok_or_else(strange)?;
    let earlier = KEPT.take();
    let input = |index| match deliveries.get(index) {
        none if none.is_null() => Ok(None),
        delivery => opened(&delivery, &earlier).map(Some).ok_or_else(strange),
    };
    let [document, model, other, figure] = [input(0)?, input(1)?, input(2)?, input(3)?];
    // What is no longer asked for makes room before anything is made.
    drop(earlier);
    let done = work.perform(&Inputs { document: document.ok_or_else(strange)?, model, other, figure });
    done.map(|done| Done { cost: Cost { took_ms: now_ms() - start, memory: memory() }, ..done })
}

/// A document kept by this Worker, or else read from the delivered files.
fn opened(delivery: &JsValue, earlier: &HashMap<u32, Arc<Document>>) -> Option<Arc<Document>> {
    let delivery: Array = delivery.clone().dyn_into().ok()?;
    let serial = delivery.get(0).as_f64()? as u32;
    let cached = || KEPT.with_borrow(|kept| kept.get(&serial).map(Arc::clone));
    let document = cached().or_else(|| earlier.get(&serial).map(Arc::clone)).or_else(|| {
        if delivery.get(2).as_string().as_deref() == Some(PUPPET) {
            return Document::puppet().ok().map(Arc::new);
        }
        let position = delivery.get(1).as_f64()? as usize;
        let files: Array = delivery.get(2).dyn_into().ok()?;
        let file = |pair: JsValue| unnamed(&pair).map(|(name, bytes)| Incoming { name, bytes });
        let files: Vec<Incoming> = files.iter().map(file).collect::<Option<_>>()?;
        read_all(&files).0.into_iter().nth(position).map(Arc::new)
    })?;
    KEPT.with_borrow_mut(|kept| kept.insert(serial, Arc::clone(&document)));
    Some(document)
}

fn message(done: &Done) -> Result<JsValue, JsValue> {
    let mut members = vec![(ANSWER, JsValue::from(done.to_json().to_string()))];
    if let Some(output) = &done.output {
        let parts: Array = output.resources.iter().map(|(name, bytes)| named(name, bytes)).collect();
        members.extend([(MAIN, Uint8Array::from(&output.main[..]).into()), (PARTS, parts.into())]);
    }
    object(&members)
}
