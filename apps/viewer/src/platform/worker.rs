//! A second copy of the program in a Worker of the page: both sides of the talk between them.

use super::javascript::text;
use crate::document::Document;
use crate::files::read_all;
use crate::incoming::Incoming;
use crate::inputs::Inputs;
use crate::work::{Done, Work};
use dopesheet::core::bytes::json;
use dopesheet::core::format::Output;
use eframe::egui::Context;
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that starts the program in a Worker, beside the page.
const SCRIPT: &str = "worker.js";
/// The message by which the program says that it is ready.
const READY: &str = "ready";
/// Members of messages.
const WORK: &str = "work";
const DELIVERIES: &str = "deliveries";
const ANSWER: &str = "answer";
const MAIN: &str = "main";
const PARTS: &str = "parts";
const ERROR: &str = "error";

/// Work that is being done. It ends when this is dropped.
pub(crate) struct Running {
    worker: Worker,
    answer: Rc<RefCell<Option<Result<Done, String>>>>,
    // Closures that the Worker calls have to live as long.
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _broken: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.terminate();
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
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(SCRIPT, &options)?;
    let answer = Rc::new(RefCell::new(None));
    let message = asked(work, inputs)?;
    let (own, place, repaint) = (worker.clone(), Rc::clone(&answer), context.clone());
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if data.as_string().as_deref() == Some(READY) {
            drop(own.post_message(&message));
            return;
        }
        let made =
            answered(&data).unwrap_or_else(|| Err("expected an answer, found something else".to_owned()));
        place.borrow_mut().get_or_insert(made);
        repaint.request_repaint();
    });
    let (place, repaint) = (Rc::clone(&answer), context.clone());
    let broken = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
        let why = event.message();
        place.borrow_mut().get_or_insert(Err(format!("The work stopped unexpectedly: {why}")));
        repaint.request_repaint();
    });
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    worker.set_onerror(Some(broken.as_ref().unchecked_ref()));
    // The program itself, so that it is neither fetched nor compiled again.
    worker.post_message(&wasm_bindgen::module())?;
    Ok(Running { worker, answer, _heard: heard, _broken: broken })
}

fn object(members: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object.into())
}

/// The work, and of each input the files that it came with, and which of those it is.
fn asked(work: &Work, inputs: &Inputs) -> Result<JsValue, JsValue> {
    let deliveries = Array::new();
    let Inputs { document, model, other, figure } = inputs;
    for document in [Some(document), model.as_ref(), other.as_ref(), figure.as_ref()] {
        let Some((files, position)) = document.and_then(|document| document.origin.as_ref()) else {
            deliveries.push(&JsValue::NULL);
            continue;
        };
        let all: Array = files.iter().map(|file| named(&file.name, &file.bytes)).collect();
        deliveries.push(&Array::of2(&JsValue::from(*position as u32), &all));
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

/// Does work in a Worker, whatever is asked, one after the other.
pub(crate) fn serve() -> ExitCode {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let own = scope.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let answer = done(&event.data()).and_then(|done| told(&done).map_err(|error| text(&error)));
        let answer = answer.or_else(|why| object(&[(ERROR, why.into())]));
        drop(answer.and_then(|answer| own.post_message(&answer)));
    });
    scope.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    drop(scope.post_message(&READY.into()));
    ExitCode::SUCCESS
}

fn done(data: &JsValue) -> Result<Done, String> {
    let strange = || "expected work and files, found something else".to_owned();
    let member = |name: &str| Reflect::get(data, &name.into()).ok();
    let work = member(WORK).and_then(|work| json::value(&work.as_string()?));
    let work = work.and_then(|work| Work::from_json(&work)).ok_or_else(strange)?;
    let deliveries: Array = member(DELIVERIES).and_then(|all| all.dyn_into().ok()).ok_or_else(strange)?;
    let [document, model, other, figure] = [0, 1, 2, 3].map(|index| opened(&deliveries.get(index)));
    work.perform(&Inputs { document: document.ok_or_else(strange)?, model, other, figure })
}

/// A document, read again from the files that it came with.
fn opened(delivery: &JsValue) -> Option<Arc<Document>> {
    let delivery: Array = delivery.clone().dyn_into().ok()?;
    let position = delivery.get(0).as_f64()? as usize;
    let files: Array = delivery.get(1).dyn_into().ok()?;
    let file = |pair: JsValue| unnamed(&pair).map(|(name, bytes)| Incoming { name, bytes });
    let files: Vec<Incoming> = files.iter().map(file).collect::<Option<_>>()?;
    read_all(&files).0.into_iter().nth(position).map(Arc::new)
}

fn told(done: &Done) -> Result<JsValue, JsValue> {
    let mut members = vec![(ANSWER, JsValue::from(done.to_json().to_string()))];
    if let Some(output) = &done.output {
        let parts: Array = output.resources.iter().map(|(name, bytes)| named(name, bytes)).collect();
        members.extend([(MAIN, Uint8Array::from(&output.main[..]).into()), (PARTS, parts.into())]);
    }
    object(&members)
}
