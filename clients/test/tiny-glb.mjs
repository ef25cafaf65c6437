// Builds small GLB files for the tests from a description one can read: channels carry their numbers inline.
// It is a second writer on purpose: what our own writer gets wrong must not be hidden by using it here.

const TYPES = { translation: ['VEC3', 3], rotation: ['VEC4', 4], scale: ['VEC3', 3], weights: ['SCALAR', 1] };

/**
 * A GLB with one scene of all root nodes (or the given `scenes`) and `animations` of the form
 * `{name, channels: [{node, path, times, values, interpolation}]}`, where `values` is flat.
 * `morphs` adds mesh 0: as many primitives as the list is long, each of one triangle with that many targets.
 */
export function tinyGlb({ nodes, scenes, animations = [], morphs = [] }) {
  const pack = new Packer();
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const roots = nodes.map((_, index) => index).filter((index) => !children.has(index));
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: scenes ?? [{ nodes: roots }],
    nodes,
    ...(morphs.length > 0 && { meshes: [{ primitives: morphs.map((targets) => primitive(pack, targets)) }] }),
    ...(animations.length > 0 && { animations: animations.map((animation) => animationOf(pack, animation)) }),
  };
  return glb({ ...json, ...pack.members() }, pack.bytes());
}

/** The two chunks of a GLB around `json` and `bin`. */
export function glb(json, bin) {
  const text = Buffer.from(JSON.stringify(json));
  const jsonChunk = chunk(0x4e4f534a, Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]));
  const binChunk = bin.length > 0 ? chunk(0x004e4942, bin) : Buffer.alloc(0);
  return Buffer.concat([words(0x46546c67, 2, 12 + jsonChunk.length + binChunk.length), jsonChunk, binChunk]);
}

function chunk(type, data) {
  return Buffer.concat([words(data.length, type), data]);
}

function words(...values) {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => buffer.writeUInt32LE(value, 4 * i));
  return buffer;
}

function animationOf(pack, { name, channels }) {
  const samplers = channels.map(({ path, times, values, interpolation }) => ({
    input: pack.accessor('SCALAR', 1, times, { bounds: true }),
    output: pack.accessor(...TYPES[path], values),
    ...(interpolation && { interpolation }),
  }));
  const targets = channels.map(({ node, path }, sampler) => ({ sampler, target: { node, path } }));
  return { ...(name && { name }), channels: targets, samplers };
}

function primitive(pack, targets) {
  const position = () => pack.accessor('VEC3', 3, [0, 0, 0, 1, 0, 0, 0, 1, 0], { bounds: true, target: 34962 });
  const list = Array.from({ length: targets }, () => ({ POSITION: position() }));
  return { attributes: { POSITION: position() }, targets: list };
}

/** Collects f32 accessors, each with its own view of buffer 0. */
class Packer {
  accessors = [];
  bufferViews = [];
  parts = [];
  length = 0;

  accessor(type, width, values, { bounds, target } = {}) {
    const numbers = Float32Array.from(values);
    const part = Buffer.from(numbers.buffer);
    this.bufferViews.push({ buffer: 0, byteOffset: this.length, byteLength: part.length, ...(target && { target }) });
    const column = (i) => [...numbers].filter((_, at) => at % width === i);
    const extreme = (pick) => Array.from({ length: width }, (_, i) => pick(...column(i)));
    this.accessors.push({
      bufferView: this.bufferViews.length - 1,
      componentType: 5126,
      count: numbers.length / width,
      type,
      ...(bounds && { min: extreme(Math.min), max: extreme(Math.max) }),
    });
    this.parts.push(part);
    this.length += part.length;
    return this.accessors.length - 1;
  }

  members() {
    if (this.length === 0) return {};
    return { accessors: this.accessors, bufferViews: this.bufferViews, buffers: [{ byteLength: this.length }] };
  }

  bytes() {
    return Buffer.concat(this.parts);
  }
}
