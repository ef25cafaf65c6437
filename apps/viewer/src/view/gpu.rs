//! Triangles and lines on the graphics processor, with the light and colours of `dopesheet::draw::raster` on the CPU.
//!
//! Colours are put out as sRGB without a conversion by the driver, as in egui's drawings all around.

use crate::platform;
use dopesheet::core::model::AlphaMode;
use dopesheet::draw::{Drawing, Light, Line, Look, Stage, Surface, Texture, View};
use eframe::egui_glow::Painter;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use three_d::{
    Blend, ClearState, Context, CoreError, CpuTexture, Cull, DepthTest, ElementBuffer, InstanceBuffer,
    Interpolation, Mipmap, Program, RenderStates, RenderTarget, ScissorBox, Texture2D, TextureData, Vector2,
    Vector3, Vector4, VertexBuffer, Viewport, Wrapping, WriteMask,
};

/// Height of a picture with lines of their nominal width, in points.
const HEIGHT: f32 = 480.0;
/// Number of corners of the two triangles of a line.
const CORNERS: u32 = 6;

/// One drawing of a frame.
pub(crate) struct Layer {
    /// The stage with the textures; `None` for a drawing without textures.
    pub(crate) stage: Option<Arc<Stage>>,
    /// Surfaces, lines and marks.
    pub(crate) drawing: Arc<Drawing>,
    /// Factors of the drawing's colours: linear RGB and alpha.
    pub(crate) tint: [f32; 4],
    /// True to draw lines and marks in front of all surfaces.
    pub(crate) on_top: bool,
}

impl Layer {
    /// A layer with the drawing's own colours.
    pub(crate) const fn plain(stage: Option<Arc<Stage>>, drawing: Arc<Drawing>) -> Self {
        Self { stage, drawing, tint: [1.0; 4], on_top: false }
    }
}

/// The contents of one part of the window.
pub(crate) struct Frame {
    pub(crate) layers: Vec<Layer>,
    pub(crate) view: View,
}

/// The programs, meshes and textures held on the graphics processor from frame to frame.
struct Gpu {
    context: Context,
    surfaces: Program,
    lines: Program,
    white: Texture2D,
    textures: Held<Texture, Texture2D>,
    uvs: Held<[[f32; 2]], VertexBuffer<[f32; 2]>>,
    colors: Held<[[f32; 4]], VertexBuffer<[f32; 4]>>,
    indices: Held<[u32], ElementBuffer<u32>>,
}

/// Buffers on the graphics processor by their sources, so that a source is handed over once and not for every frame.
struct Held<T: ?Sized, B>(HashMap<*const T, (Weak<T>, B)>);

impl<T: ?Sized, B> Held<T, B> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    /// The buffer of a source, made at the first call.
    fn of(&mut self, source: &Arc<T>, make: impl FnOnce(&T) -> B) -> &B {
        &self.0.entry(Arc::as_ptr(source)).or_insert_with(|| (Arc::downgrade(source), make(source))).1
    }

    /// Removes the buffers of dropped sources.
    fn forget(&mut self) {
        self.0.retain(|_, (source, _)| source.strong_count() > 0);
    }
}

thread_local! {
    /// The reason why nothing can be drawn, if there is one.
    static FAULT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// Time of the last drawing, in milliseconds.
    static PAINTED: Cell<Option<f64>> = const { Cell::new(None) };
    // It belongs to the thread that paints; the callback that paints may be sent anywhere.
    static GPU: RefCell<Option<Gpu>> = const { RefCell::new(None) };
}

/// Draws a frame into a part of the window; draws nothing with a driver that lacks a feature, see [`fault`].
pub(crate) fn paint(frame: &Frame, area: &eframe::egui::PaintCallbackInfo, painter: &Painter) {
    GPU.with_borrow_mut(|slot| {
        if slot.is_none() && FAULT.with_borrow(Option::is_none) {
            match Gpu::new(painter) {
                Ok(gpu) => *slot = Some(gpu),
                Err(error) => FAULT.set(Some(error.to_string())),
            }
        }
        if let Some(gpu) = slot {
            gpu.paint(frame, area);
        }
    });
    PAINTED.set(Some(platform::now_ms()));
}

/// Time of the last frame handed to the graphics processor, in milliseconds of the platform's clock; `None` before the first.
pub(crate) fn painted_ms() -> Option<f64> {
    PAINTED.get()
}

/// The reason why nothing can be drawn, in the words of the driver; `None` if drawing works.
pub(crate) fn fault() -> Option<String> {
    FAULT.with_borrow(Clone::clone)
}

impl Gpu {
    fn new(painter: &Painter) -> Result<Self, CoreError> {
        let context = Context::from_gl_context(Arc::clone(painter.gl()))?;
        let program = |vertex: &str, fragment: &str| {
            Program::from_source(&context, &format!("{SEE}{vertex}"), fragment)
        };
        let surfaces = program(SURFACE_VERTEX, SURFACE_FRAGMENT)?;
        let lines = program(LINE_VERTEX, LINE_FRAGMENT)?;
        let white = picture(&context, [1, 1], vec![[255; 4]]);
        let (textures, uvs, colors, indices) = (Held::new(), Held::new(), Held::new(), Held::new());
        Ok(Self { context, surfaces, lines, white, textures, uvs, colors, indices })
    }

    fn paint(&mut self, frame: &Frame, area: &eframe::egui::PaintCallbackInfo) {
        let [part, clip] = [area.viewport_in_pixels(), area.clip_rect_in_pixels()];
        let size = [part.width_px, part.height_px].map(|x| u32::try_from(x).unwrap_or(0).max(1));
        let viewport = Viewport { x: part.left_px, y: part.from_bottom_px, width: size[0], height: size[1] };
        let [width, height] = [clip.width_px, clip.height_px].map(|x| u32::try_from(x).unwrap_or(0));
        if width == 0 || height == 0 {
            return;
        }
        let scissor = ScissorBox { x: clip.left_px, y: clip.from_bottom_px, width, height };
        let [across, down] = area.screen_size_px;
        RenderTarget::screen(&self.context, across, down).clear_partially(scissor, ClearState::depth(1.0));
        self.textures.forget();
        self.uvs.forget();
        self.colors.forget();
        self.indices.forget();
        let scale =
            area.pixels_per_point * (size[1] as f32 / area.pixels_per_point / HEIGHT).clamp(0.75, 2.0);
        for layer in &frame.layers {
            for surface in &layer.drawing.surfaces {
                self.surface(surface, layer, &frame.view, viewport);
            }
        }
        for layer in &frame.layers {
            let all = layer.drawing.lines.iter().chain(&layer.drawing.marks);
            self.lines(&all.copied().collect::<Vec<_>>(), layer, &frame.view, viewport, scale);
        }
    }

    fn surface(&mut self, surface: &Surface, layer: &Layer, view: &View, viewport: Viewport) {
        let Surface { look, .. } = surface;
        let has_texture = surface.uvs.len() == surface.positions.len();
        let of_stage = layer.stage.as_ref().map_or(&[][..], |stage| stage.textures());
        let texture =
            look.texture.filter(|_| has_texture).and_then(|texture| of_stage.get(texture)?.as_ref());
        let context = &self.context;
        let texture = texture.map(|texture| {
            self.textures.of(texture, |whole| {
                let level = whole.full();
                picture(context, level.size, level.texels.clone())
            })
        });
        let program = &self.surfaces;
        see(program, view, viewport);
        light(program, look, layer.tint, view);
        program.use_texture("picture", texture.unwrap_or(&self.white));
        // Buffers have to be there until something was drawn with them.
        let positions = VertexBuffer::new_with_data(context, &surface.positions);
        let normals = VertexBuffer::new_with_data(context, &surface.normals);
        program.use_vertex_attribute("position", &positions);
        program.use_vertex_attribute("normal", &normals);
        if has_texture {
            let uvs = self.uvs.of(&surface.uvs, |uvs| VertexBuffer::new_with_data(context, uvs));
            program.use_vertex_attribute("uv", uvs);
        } else {
            // Something has to be there, but white is the same everywhere.
            program.use_vertex_attribute("uv", &normals);
        }
        let has_colors = surface.colors.len() == surface.positions.len();
        program.use_uniform("colored", f32::from(u8::from(has_colors)));
        if has_colors {
            let colors =
                self.colors.of(&surface.colors, |colors| VertexBuffer::new_with_data(context, colors));
            program.use_vertex_attribute("color", colors);
        } else {
            program.use_vertex_attribute("color", &normals);
        }
        let indices =
            self.indices.of(&surface.indices, |indices| ElementBuffer::new_with_data(context, indices));
        let shows_through = look.alpha == AlphaMode::Blend || layer.tint[3] < 1.0;
        let states = RenderStates {
            write_mask: if shows_through { WriteMask::COLOR } else { WriteMask::COLOR_AND_DEPTH },
            depth_test: DepthTest::LessOrEqual,
            blend: if shows_through { Blend::TRANSPARENCY } else { Blend::Disabled },
            cull: if look.double_sided { Cull::None } else { Cull::Back },
        };
        program.draw_elements(states, viewport, indices);
    }

    fn lines(&self, lines: &[Line], layer: &Layer, view: &View, viewport: Viewport, scale: f32) {
        if lines.is_empty() {
            return;
        }
        let program = &self.lines;
        see(program, view, viewport);
        program.use_uniform("viewport", Vector2::new(viewport.width as f32, viewport.height as f32));
        program.use_uniform("width_scale", scale);
        let [r, g, b, alpha] = layer.tint;
        program.use_uniform("tint", Vector4::new(r, g, b, alpha));
        let ends = |end: usize| lines.iter().map(|line| vector(line.ends[end])).collect::<Vec<_>>();
        let colors: Vec<_> = lines.iter().map(|line| color(line.color)).collect();
        let widths: Vec<_> = lines.iter().map(|line| line.width_px).collect();
        let from = InstanceBuffer::new_with_data(&self.context, &ends(0));
        let to = InstanceBuffer::new_with_data(&self.context, &ends(1));
        let colors = InstanceBuffer::new_with_data(&self.context, &colors);
        let widths = InstanceBuffer::new_with_data(&self.context, &widths);
        program.use_instance_attribute("from", &from);
        program.use_instance_attribute("to", &to);
        program.use_instance_attribute("color", &colors);
        program.use_instance_attribute("width", &widths);
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: if layer.on_top { DepthTest::Always } else { DepthTest::LessOrEqual },
            blend: Blend::TRANSPARENCY,
            cull: Cull::None,
        };
        program.draw_arrays_instanced(states, viewport, CORNERS, u32::try_from(lines.len()).unwrap_or(0));
    }
}

fn picture(context: &Context, [width, height]: [u32; 2], texels: Vec<[u8; 4]>) -> Texture2D {
    let picture = CpuTexture {
        name: String::new(),
        data: TextureData::RgbaU8(texels),
        width,
        height,
        min_filter: Interpolation::Linear,
        mag_filter: Interpolation::Linear,
        mipmap: Some(Mipmap::default()),
        wrap_s: Wrapping::Repeat,
        wrap_t: Wrapping::Repeat,
    };
    Texture2D::new(context, &picture)
}

/// From where it is seen.
fn see(program: &Program, view: &View, viewport: Viewport) {
    let aspect = viewport.width as f32 / viewport.height as f32;
    program.use_uniform("eye", vector(view.eye.to_array()));
    program.use_uniform("right", vector(view.right.to_array()));
    program.use_uniform("up", vector(view.up.to_array()));
    program.use_uniform("ahead", vector(view.ahead.to_array()));
    program.use_uniform("lens", Vector3::new(1.0 / (view.tan_half * aspect), 1.0 / view.tan_half, view.near));
}

fn light(program: &Program, look: &Look, tint: [f32; 4], view: &View) {
    let Light { towards } = Light::of(view);
    program.use_uniform("towards", vector(towards.to_array()));
    // Where light has no effect, all of it comes from everywhere.
    let shares = match look.unlit {
        true => Vector3::new(1.0, 0.0, 0.0),
        false => Vector3::new(Light::AMBIENT, Light::SKY, Light::KEY),
    };
    program.use_uniform("shares", shares);
    let [r, g, b, a] = std::array::from_fn(|i| look.color[i] * tint[i]);
    program.use_uniform("base", Vector4::new(r, g, b, a));
    let cut = match look.alpha {
        AlphaMode::Mask(cutoff) => cutoff as f32,
        AlphaMode::Opaque | AlphaMode::Blend => -1.0,
    };
    program.use_uniform("cut", cut);
    program.use_uniform("opaque", if look.alpha == AlphaMode::Opaque { tint[3] } else { -1.0 });
}

fn vector([x, y, z]: [f32; 3]) -> Vector3<f32> {
    Vector3::new(x, y, z)
}

fn color(color: [u8; 4]) -> Vector4<f32> {
    let [r, g, b, alpha] = color.map(|x| f32::from(x) / 255.0);
    Vector4::new(r, g, b, alpha)
}

/// A point before the eye, and its place on the screen: the projection has no far end.
const SEE: &str = "
uniform vec3 eye; uniform vec3 right; uniform vec3 up; uniform vec3 ahead; uniform vec3 lens;
vec3 seen(vec3 point) { vec3 off = point - eye; return vec3(dot(off, right), dot(off, up), dot(off, ahead)); }
vec4 placed(vec3 p) { return vec4(p.x * lens.x, p.y * lens.y, p.z - 2.0 * lens.z, p.z); }
";

const SURFACE_VERTEX: &str = "
uniform float colored;
in vec3 position; in vec3 normal; in vec2 uv; in vec4 color;
out vec3 facing; out vec2 texel; out vec4 factor;
void main() {
    // `Texture2D` turns pictures upside down.
    facing = normal; texel = vec2(uv.x, 1.0 - uv.y); factor = colored > 0.5 ? color : vec4(1.0);
    gl_Position = placed(seen(position));
}";

const SURFACE_FRAGMENT: &str = "
uniform sampler2D picture; uniform vec4 base; uniform vec3 towards; uniform vec3 shares;
uniform float cut; uniform float opaque;
in vec3 facing; in vec2 texel; in vec4 factor;
layout (location = 0) out vec4 shown_color;
vec3 to_light(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 shown(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
void main() {
    vec4 texture_color = texture(picture, texel);
    vec4 color = vec4(to_light(texture_color.rgb) * base.rgb, texture_color.a * base.a) * factor;
    if (color.a < cut) discard;
    vec3 n = normalize(facing);
    if (!gl_FrontFacing) n = -n;
    float bright = shares.x + shares.y * n.y + shares.z * max(dot(n, towards), 0.0);
    float alpha = opaque >= 0.0 ? opaque : (cut >= 0.0 ? 1.0 : color.a);
    shown_color = vec4(shown(color.rgb * bright), alpha);
}";

/// A line is a rectangle around it, cut at the near plane, in which the fragment shader leaves a line with round ends.
const LINE_VERTEX: &str = "
uniform vec2 viewport; uniform float width_scale;
in vec3 from; in vec3 to; in vec4 color; in float width;
out vec4 line_color; out vec2 at; flat out vec2 ends; flat out float radius;
void main() {
    vec3 a = seen(from); vec3 b = seen(to);
    line_color = color;
    if (max(a.z, b.z) < lens.z) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.z < lens.z) a = mix(a, b, (lens.z - a.z) / (b.z - a.z));
    if (b.z < lens.z) b = mix(b, a, (lens.z - b.z) / (a.z - b.z));
    vec4 p = placed(a); vec4 q = placed(b);
    vec2 half_size = viewport * 0.5;
    vec2 start = p.xy / p.w * half_size; vec2 end = q.xy / q.w * half_size;
    float reach = length(end - start);
    vec2 along = reach > 1e-4 ? (end - start) / reach : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x);
    radius = max(width * width_scale * 0.5, 0.5);
    float room = radius + 1.0;
    int corner = gl_VertexID % 6;
    bool is_far = corner == 1 || corner == 2 || corner == 4;
    float side = (corner == 2 || corner == 4 || corner == 5) ? 1.0 : -1.0;
    ends = vec2(0.0, reach);
    at = vec2(is_far ? reach + room : -room, side * room);
    vec2 place = start + along * at.x + aside * at.y;
    vec4 own = is_far ? q : p;
    // A little nearer than what they lie on.
    float depth = own.z / own.w - 0.0015 * lens.z / own.w;
    gl_Position = vec4(place / half_size * own.w, depth * own.w, own.w);
}";

const LINE_FRAGMENT: &str = "
uniform vec4 tint;
in vec4 line_color; in vec2 at; flat in vec2 ends; flat in float radius;
layout (location = 0) out vec4 shown_color;
void main() {
    float off = length(vec2(at.x - clamp(at.x, ends.x, ends.y), at.y));
    float cover = clamp(radius + 0.5 - off, 0.0, 1.0);
    if (cover <= 0.0) discard;
    shown_color = vec4(line_color.rgb * tint.rgb, line_color.a * tint.a * cover);
}";
