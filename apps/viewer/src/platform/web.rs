//! A page in a browser. Files are read in the page; nothing is sent anywhere.

use super::Make;
use super::javascript::text;
use crate::files::inbox::{Delivery, Inbox};
use crate::fonts::is_japanese;
use crate::status::Status;
use dopesheet::core::format::Output;
use eframe::egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use eframe::egui::{
    Color32, ColorImage, Context, DroppedFileHandle, FontData, FontDefinitions, FontFamily, GlyphBitmap,
    GlyphRasterizer, GlyphRasterizerRequest, RasterizedGlyph, Vec2,
};
use eframe::{WebGlContextOption, WebOptions, WebRunner};
use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, BlobPropertyBag, Document, File, HtmlAnchorElement, HtmlCanvasElement, HtmlInputElement, Response,
    Url, Window,
};

/// The canvas of index.html.
const CANVAS: &str = "viewer";
/// Id of the element with the message shown until the viewer is ready.
const NOTE: &str = "note";
/// Name of the member of `window` for programs that drive the page.
const HOOK: &str = "dopesheet";

/// Fonts of the page: files, each with the families that use the font. The first font with a letter draws the letter.
const FONTS: &[(&str, &[FontFamily])] = &[
    ("text.ttf", &[FontFamily::Proportional]),
    ("mono.ttf", &[FontFamily::Monospace, FontFamily::Proportional]),
    ("icons.ttf", &[FontFamily::Proportional, FontFamily::Monospace]),
];
/// File of the Japanese letters, loaded only where needed.
const JAPANESE: &str = "japanese.ttf";

/// True while the Japanese letters are on their way.
static ARE_COMING: AtomicBool = AtomicBool::new(false);

thread_local! {
    // A closure that a browser may call at any time has to live as long.
    static CHOSEN: RefCell<Option<Closure<dyn FnMut()>>> = const { RefCell::new(None) };
    /// The state of the viewer after its last frame.
    static STATUS: RefCell<Option<Status>> = const { RefCell::new(None) };
}

fn window() -> Option<Window> {
    web_sys::window()
}

fn document() -> Option<Document> {
    window()?.document()
}

/// Starts the viewer in the page's canvas, or waits for work in a Worker, which has no window.
pub(crate) fn run(make: Make) -> ExitCode {
    if window().is_none() {
        return super::worker::serve();
    }
    spawn_local(async move {
        if let Err(error) = start(make).await {
            note(&format!("The viewer could not be started: {}", text(&error)));
        }
    });
    ExitCode::SUCCESS
}

async fn start(make: Make) -> Result<(), JsValue> {
    let canvas = document().and_then(|page| page.get_element_by_id(CANVAS)).ok_or("no canvas")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into()?;
    let options = WebOptions { webgl_context_option: WebGlContextOption::WebGl2, ..WebOptions::default() };
    let inbox = Inbox::default();
    let fonts = fonts().await;
    let create = move |context: &eframe::CreationContext<'_>| {
        context.egui_ctx.set_fonts(fonts);
        fetch_named(inbox.clone(), context.egui_ctx.clone());
        Ok(make(context, inbox))
    };
    WebRunner::new().start(canvas, options, Box::new(create)).await?;
    note("");
    Ok(())
}

fn note(text: &str) {
    if let Some(note) = document().and_then(|page| page.get_element_by_id(NOTE)) {
        note.set_text_content(Some(text));
    }
}

/// The letters and signs of the user interface.
async fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, families) in FONTS {
        // Without a file, the browser draws letters in a font of its own.
        if let Ok(bytes) = fetch(name).await {
            fonts.font_data.insert((*name).to_owned(), FontData::from_owned(bytes).into());
            for family in *families {
                fonts.families.entry(family.clone()).or_default().push((*name).to_owned());
            }
        }
    }
    fonts
}

/// Loads Japanese letters. Their places stay free until the font has arrived; without the font, the browser draws the letters.
pub(crate) fn load_japanese(context: &Context) {
    let context = context.clone();
    ARE_COMING.store(true, Ordering::Relaxed);
    // Else the browser is asked for each of them, which for a dance's takes longer than all else that is seen first.
    let free = |request: &GlyphRasterizerRequest<'_>| {
        let is_coming = ARE_COMING.load(Ordering::Relaxed) && is_japanese(request.cluster);
        is_coming.then(|| free_place(request.font_size_px))
    };
    context.add_glyph_rasterizer(
        GlyphRasterizer::new("dopesheet: coming", free).with_priority(FontPriority::Highest),
    );
    spawn_local(async move {
        let bytes = fetch(JAPANESE).await;
        ARE_COMING.store(false, Ordering::Relaxed);
        if let Ok(bytes) = bytes {
            let family = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
            let families = vec![family(FontFamily::Proportional), family(FontFamily::Monospace)];
            context.add_font(FontInsert::new(JAPANESE, FontData::from_owned(bytes), families));
        } else {
            // Nothing but something new makes it forget the free places.
            context.add_glyph_rasterizer(GlyphRasterizer::new("dopesheet: gone", |_| None));
        }
        context.request_repaint();
    });
}

/// An empty glyph as wide as a Japanese letter.
fn free_place(advance_px: f32) -> RasterizedGlyph {
    let image = ColorImage::filled([1, 1], Color32::TRANSPARENT);
    RasterizedGlyph { bitmap: GlyphBitmap { image, offset_px: Vec2::ZERO, is_color: false }, advance_px }
}

/// Name of the sample for users without a file, put beside the page by `cargo xtask web`.
const SAMPLE: &str = "walk.vmd";

/// Fetches a file by its address relative to the page, from the page's host alone. A page without an address, as in a notebook,
/// has the address of the page around it.
async fn fetch(name: &str) -> Result<Vec<u8>, JsValue> {
    let base = Url::new(&document().ok_or("no page")?.base_uri()?.unwrap_or_default())?;
    let url = Url::new_with_base(name, &base.href())?;
    if url.origin() != base.origin() {
        return Err(format!("only files of {} can be opened, not of {}", base.origin(), url.origin()).into());
    }
    let window = window().ok_or("no window")?;
    let response: Response = JsFuture::from(window.fetch_with_str(&url.href())).await?.dyn_into()?;
    if !response.ok() {
        return Err(format!("no file at {}: status {}", url.href(), response.status()).into());
    }
    Ok(Uint8Array::new(&JsFuture::from(response.array_buffer()?).await?).to_vec())
}

/// Opens the files named in the page's address: `?file=walk.vmd&file=walk.glb`, and `&figure=hero.vrm` for a figure to take the motion.
fn fetch_named(inbox: Inbox, context: Context) {
    let here = window().and_then(|window| window.location().href().ok());
    let Some(url) = here.and_then(|here| Url::new(&here).ok()) else { return };
    let words = url.search_params();
    let named: Vec<String> = words.get_all("file").iter().filter_map(|n| n.as_string()).collect();
    if !named.is_empty() {
        fetch_all(named, words.get("figure"), inbox, context);
    }
}

/// Opens the sample beside the page.
pub(crate) fn open_sample(inbox: &Inbox, context: &Context) {
    fetch_all(vec![SAMPLE.to_owned()], None, inbox.clone(), context.clone());
}

/// Opens files by their addresses relative to the page.
fn fetch_all(names: Vec<String>, figure: Option<String>, inbox: Inbox, context: Context) {
    spawn_local(async move {
        let mut delivery = Delivery { figure: figure.clone(), ..Delivery::default() };
        for name in names.into_iter().chain(figure) {
            let bytes = fetch(&name).await;
            delivery.add(name, bytes.map_err(|error| text(&error)));
        }
        inbox.put(delivery);
        context.request_repaint();
    });
}

/// Takes in the files dropped on the page.
pub(crate) fn take(dropped: Vec<DroppedFileHandle>, inbox: &Inbox, context: &Context) {
    let (inbox, context) = (inbox.clone(), context.clone());
    spawn_local(async move {
        let mut delivery = Delivery::default();
        for file in dropped {
            delivery.add(file.path().to_string_lossy().into_owned(), file.bytes_async().await);
        }
        inbox.put(delivery);
        context.request_repaint();
    });
}

/// Opens the browser's dialog for files. False if the page cannot make one.
pub(crate) fn choose_files(inbox: &Inbox, context: &Context) -> bool {
    let Some(input) = document().and_then(|page| page.create_element("input").ok()) else { return false };
    let Ok(input) = input.dyn_into::<HtmlInputElement>() else { return false };
    input.set_type("file");
    input.set_multiple(true);
    let (element, inbox, context) = (input.clone(), inbox.clone(), context.clone());
    let chosen = Closure::<dyn FnMut()>::new(move || {
        let Some(files) = element.files() else { return };
        let files: Vec<File> = (0..files.length()).filter_map(|i| files.get(i)).collect();
        let (inbox, context) = (inbox.clone(), context.clone());
        spawn_local(async move {
            let mut delivery = Delivery::default();
            for file in files {
                let bytes = JsFuture::from(file.array_buffer()).await;
                delivery.add(file.name(), bytes.map(|b| Uint8Array::new(&b).to_vec()).map_err(|e| text(&e)));
            }
            inbox.put(delivery);
            context.request_repaint();
        });
    });
    input.set_onchange(Some(chosen.as_ref().unchecked_ref()));
    CHOSEN.set(Some(chosen));
    input.click();
    true
}

/// Hands a file and its resources to the browser's downloads. Returns a message, or the reason of a failure.
pub(crate) fn save(name: &str, output: &Output) -> Result<String, String> {
    for (part, bytes) in &output.resources {
        download(part, bytes).map_err(|error| text(&error))?;
    }
    download(name, &output.main).map_err(|error| text(&error))?;
    Ok(format!("{name} is among your downloads"))
}

fn download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let page = document().ok_or("no page")?;
    let anchor: HtmlAnchorElement = page.create_element("a")?.dyn_into()?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    Url::revoke_object_url(&url)
}

/// Publishes the status for readers of `window.dopesheet`. The JSON is made when a script reads the property.
pub(crate) fn publish(status: Status) {
    let is_first = STATUS.replace(Some(status)).is_none();
    let Some(window) = window().filter(|_| is_first) else { return };
    let look = || STATUS.with_borrow(|status| JSON::parse(&status.as_ref()?.to_json().to_string()).ok());
    let get =
        Closure::<dyn Fn() -> JsValue>::new(move || look().unwrap_or(JsValue::UNDEFINED)).into_js_value();
    let property = Object::new();
    // Nothing depends on whether somebody can see it.
    drop(Reflect::set(&property, &"get".into(), &get));
    Object::define_property(&window, &HOOK.into(), &property);
}

/// Keeps the state in the page's address, behind `#`, so that users can hand on the address.
pub(crate) fn remember(state: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        drop(history.replace_state_with_url(&JsValue::NULL, "", Some(state)));
    }
}

/// The state in the page's address, with the `#` before it; empty if there is none.
pub(crate) fn remembered() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}
