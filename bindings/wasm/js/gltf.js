// Animations as glTF has them, in typed arrays. Those of engines are made of these, because glTF is what they all play.

import { misuse } from './errors.js';

const [MAGIC, JSON_CHUNK, BINARY_CHUNK] = [0x46546c67, 0x4e4f534a, 0x004e4942];
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
/** Arrays of whole numbers, and the number that stands for 1 where they are normalized. */
const ARRAYS = {
  5120: [Int8Array, 127],
  5121: [Uint8Array, 255],
  5122: [Int16Array, 32767],
  5123: [Uint16Array, 65535],
  5125: [Uint32Array, 4294967295],
  5126: [Float32Array, 1],
};

/**
 * The animations of a file as a conversion to glTF carries them: for each its name, duration and channels with node,
 * path, interpolation, times and values. `options` are those of `convert`.
 */
export function animationsOf(file, options = {}) {
  const { data } = file.convert({ ...options, to: 'glb' });
  const { document, binary } = parse(data);
  const nodes = document.nodes ?? [];
  const parents = parentsOf(nodes);
  const animation = ({ name = '', channels, samplers }) => {
    const all = channels.map(({ target, sampler }) => channel(document, binary, target, samplers[sampler]));
    const duration = all.reduce((end, { times }) => Math.max(end, times[times.length - 1] ?? 0), 0);
    return { name, duration, channels: all.filter(({ node }) => node !== undefined), others: all.filter(isOther) };
  };
  const node = ({ name = '' }, index) => ({ name, parent: parents[index], path: pathTo(index, nodes, parents) });
  return { nodes: nodes.map(node), animations: (document.animations ?? []).map(animation) };
}

const isOther = ({ node }) => node === undefined;

/** One of the animations: the first, that of a position, or the first of a name. */
export function animationOf(file, options) {
  return firstOf(file, animationsOf(file, options));
}

/** The first of a file's animations, and the nodes that it moves. */
export function firstOf({ name }, { nodes, animations }) {
  if (animations.length === 0) throw misuse(`${name}: expected an animation, found none`);
  return { name, nodes, animation: animations[0] };
}

/** How many numbers a channel has at a time. */
export const rowOf = ({ times, values, interpolation }) =>
  values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);

function channel(document, binary, { node, path, extensions }, { input, output, interpolation = 'LINEAR' }) {
  const pointer = extensions?.KHR_animation_pointer?.pointer;
  const times = numbers(document, binary, input);
  return { node, path, pointer, interpolation, times, values: numbers(document, binary, output) };
}

/** The JSON and the binary part of a GLB. */
function parse(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw misuse('expected a GLB');
  let [document, binary] = [undefined, new Uint8Array()];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [length, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (kind === JSON_CHUNK) document = JSON.parse(new TextDecoder().decode(chunk));
    if (kind === BINARY_CHUNK) binary = chunk;
    at += 8 + length;
  }
  return { document, binary };
}

/** The numbers of an accessor, in an array of their own. */
function numbers({ accessors, bufferViews, buffers }, binary, index) {
  const { bufferView, byteOffset = 0, componentType, count, type, normalized, sparse } = accessors[index];
  const [Numbers, one] = ARRAYS[componentType];
  const width = WIDTHS[type];
  const out = new Float32Array(count * width);
  if (bufferView === undefined && sparse === undefined) return out;
  const { byteOffset: start = 0, byteStride, buffer, extensions } = bufferViews[bufferView] ?? {};
  if (sparse !== undefined || extensions !== undefined || buffers[buffer]?.uri !== undefined) {
    throw misuse(`animation of accessor ${index}: expected numbers in plain bytes, found compressed or sparse ones`);
  }
  const stride = byteStride ?? width * Numbers.BYTES_PER_ELEMENT;
  for (let row = 0; row < count; row++) {
    // Copied, because a view must start at a multiple of its element's size.
    const from = start + byteOffset + row * stride;
    const bytes = binary.slice(from, from + width * Numbers.BYTES_PER_ELEMENT);
    const values = new Numbers(bytes.buffer, 0, width);
    for (let i = 0; i < width; i++) out[row * width + i] = normalized ? Math.max(values[i] / one, -1) : values[i];
  }
  return out;
}

function parentsOf(nodes) {
  const parents = new Array(nodes.length).fill(-1);
  nodes.forEach(({ children = [] }, parent) => children.forEach((child) => (parents[child] = parent)));
  return parents;
}

/** The names from the root of the scene to a node. */
function pathTo(index, nodes, parents) {
  const path = [];
  for (let at = index; at >= 0 && path.length <= nodes.length; at = parents[at]) path.unshift(nodes[at].name ?? '');
  return path;
}
