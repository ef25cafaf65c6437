import { animationOf, rowOf } from './gltf.js';

/**
 * PlayCanvas goes from rotation to rotation by a straight line that is made unit length, where glTF has the arc. Of
 * quaternions an angle θ apart the two differ by at most 0.0321·θ³ as an angle of rotation, so keys are put on the arc until
 * none is farther than this from the next, in radians: 3.3e-5 rad at most.
 */
const LARGEST_STEP = 0.1;

const PROPERTIES = { translation: 'localPosition', rotation: 'localRotation', scale: 'localScale' };

/**
 * A clip of a file as an AnimTrack of PlayCanvas. Rotations far from each other get keys between them (see above). Nodes are
 * found by their names from the root, as in a model that was loaded from glTF; `root` names what they hang below, if
 * anything. Weights move all meshes of a node, however many materials they have.
 *
 * `pc` is the module, as in `import * as pc from 'playcanvas'`; `options` are those of `convert`.
 */
export function toPlayCanvasAnimTrack(file, pc, { root = undefined, ...options } = {}) {
  return playCanvasTrack(animationOf(file, options), pc, { root });
}

/** An animation as an AnimTrack. */
export function playCanvasTrack({ name: fileName, nodes, animation }, pc, { root = undefined } = {}) {
  const laws = { STEP: pc.INTERPOLATION_STEP, LINEAR: pc.INTERPOLATION_LINEAR, CUBICSPLINE: pc.INTERPOLATION_CUBIC };
  const [inputs, outputs, curves] = [[], [], []];
  for (const channel of animation.channels) {
    const { node, path, interpolation } = channel;
    const { times, values } = path === 'rotation' && interpolation === 'LINEAR' ? onArcs(channel) : channel;
    const entityPath = root === undefined ? nodes[node].path : [root, ...nodes[node].path];
    const row = rowOf({ times, values, interpolation });
    const weights = Array.from({ length: row }, (_, index) => ({ name: `weight.${index}`, width: 1, offset: index }));
    const width = path === 'rotation' ? 4 : 3;
    const parts = path === 'weights' ? weights : [{ name: PROPERTIES[path], width, offset: 0 }];
    const input = inputs.push(new pc.AnimData(1, times)) - 1;
    for (const { name, width, offset } of parts) {
      const output = outputs.push(new pc.AnimData(width, columns(values, row, width, offset))) - 1;
      const target = { entityPath, component: 'graph', propertyPath: [name] };
      curves.push(new pc.AnimCurve([target], input, output, laws[interpolation]));
    }
  }
  return new pc.AnimTrack(animation.name || fileName, animation.duration, inputs, outputs, curves);
}

/** Some columns of rows of numbers. */
function columns(values, row, width, offset) {
  if (width === row) return values;
  const out = new Float32Array((values.length / row) * width);
  for (let at = 0; at * row < values.length; at++) {
    out.set(values.subarray(at * row + offset, at * row + offset + width), at * width);
  }
  return out;
}

/** Rotations with further keys on the arcs between them. */
function onArcs({ times, values }) {
  const [moments, rows] = [[], []];
  for (let key = 0; key < times.length; key++) {
    const to = values.subarray(key * 4, key * 4 + 4);
    if (key > 0 && times[key] > times[key - 1]) {
      const from = values.subarray(key * 4 - 4, key * 4);
      const dot = from.reduce((sum, x, i) => sum + x * to[i], 0);
      const [sign, angle] = [Math.sign(dot) || 1, Math.acos(Math.min(Math.abs(dot), 1))];
      const pieces = Math.ceil(angle / LARGEST_STEP);
      for (let piece = 1; piece < pieces; piece++) {
        const u = piece / pieces;
        const [a, b] = [Math.sin((1 - u) * angle) / Math.sin(angle), (sign * Math.sin(u * angle)) / Math.sin(angle)];
        moments.push(times[key - 1] + u * (times[key] - times[key - 1]));
        rows.push(...from.map((x, i) => a * x + b * to[i]));
      }
    }
    moments.push(times[key]);
    rows.push(...to);
  }
  return { times: Float32Array.from(moments), values: Float32Array.from(rows) };
}
