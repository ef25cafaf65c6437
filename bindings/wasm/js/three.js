import { animationOf, rowOf } from './gltf.js';

const PROPERTIES = {
  translation: ['position', 'VectorKeyframeTrack'],
  rotation: ['quaternion', 'QuaternionKeyframeTrack'],
  scale: ['scale', 'VectorKeyframeTrack'],
  weights: ['morphTargetInfluences', 'NumberKeyframeTrack'],
};

/**
 * A clip of a file as an AnimationClip of three.js. Objects are found by the names that GLTFLoader gives them.
 *
 * `three` is the module, as in `import * as THREE from 'three'`; `options` are those of `convert`, and `root`: the object that
 * the mixer plays on. GLTFLoader makes of a mesh with several materials a group of meshes with names of its own; with `root`
 * each of them gets a track for its morph targets, without it only meshes of one material are found.
 */
export function toThreeAnimationClip(file, three, { root = undefined, ...options } = {}) {
  return threeClip(animationOf(file, options), three, { root });
}

/** An animation as an AnimationClip. */
export function threeClip({ nodes, animation }, three, { root = undefined } = {}) {
  const nameOf = ({ name }) => three.PropertyBinding.sanitizeNodeName(name);
  const tracks = animation.channels.flatMap((channel) => {
    const { node, path } = channel;
    const name = nameOf(nodes[node]);
    if (path !== 'weights' || root === undefined) return [trackOf(channel, name, three)];
    const others = new Set(nodes.filter(({ parent }) => parent === node).map(nameOf));
    return facesOf(three, root, name, others, rowOf(channel)).map((face) => trackOf(channel, face, three));
  });
  return new three.AnimationClip(animation.name, animation.duration, tracks);
}

/** A track of its own numbers: some functions of three.js change those of every track of a clip in place. */
function trackOf({ path, interpolation, times, values }, name, three) {
  const [property, kind] = PROPERTIES[path];
  const law = interpolation === 'STEP' ? three.InterpolateDiscrete : three.InterpolateLinear;
  const track = new three[kind](`${name}.${property}`, times.slice(), values.slice(), law);
  if (interpolation === 'CUBICSPLINE') followCubics(three, track, path === 'rotation');
  return track;
}

/**
 * By what a mixer on `root` finds the meshes with the `count` morph targets of a node: the node's own object, or those that
 * were put below it, which are none of the `others`, the nodes that the file itself has there.
 */
function facesOf(three, root, name, others, count) {
  const find = (wanted) => three.PropertyBinding.findNode(root, wanted);
  const faces = [];
  const collect = ({ morphTargetInfluences, name, uuid, children }) => {
    if (morphTargetInfluences === undefined) children.filter((child) => !others.has(child.name)).forEach(collect);
    else if (morphTargetInfluences.length === count) faces.push({ name, uuid });
  };
  const object = name === '' ? null : find(name);
  if (object) collect(object);
  if (faces.length === 0) return [name];
  const isFound = ({ name, uuid }) => name !== '' && find(name)?.uuid === uuid;
  return faces.map((face) => (isFound(face) ? face.name : face.uuid));
}

/** Plays keys of arriving tangent, value and leaving tangent, for which three.js has no interpolation of its own. */
function followCubics(three, track, isRotation) {
  track.createInterpolant = function (result) {
    const width = this.values.length / this.times.length / 3;
    return new (cubicInterpolant(three, isRotation))(this.times, this.values, width, result);
  };
  // By this GLTFExporter and GLTFLoader know such tracks.
  track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline = true;
}

function cubicInterpolant(three, isRotation) {
  return class extends three.Interpolant {
    copySampleValue_(index) {
      const [width, from] = [this.valueSize, index * this.valueSize * 3 + this.valueSize];
      for (let i = 0; i < width; i++) this.resultBuffer[i] = this.sampleValues[from + i];
      return this.resultBuffer;
    }

    interpolate_(right, start, time, end) {
      const { resultBuffer: result, sampleValues: values, valueSize: width } = this;
      const span = end - start;
      const s = (time - start) / span;
      const [ss, sss] = [s * s, s * s * s];
      const [left, next] = [(right - 1) * 3 * width, right * 3 * width];
      const [b, d] = [3 * ss - 2 * sss, (sss - ss) * span];
      const [a, c] = [1 - b, (sss - 2 * ss + s) * span];
      for (let i = 0; i < width; i++) {
        const [from, leaving] = [values[left + width + i], values[left + 2 * width + i]];
        const [arriving, to] = [values[next + i], values[next + width + i]];
        result[i] = a * from + c * leaving + b * to + d * arriving;
      }
      if (isRotation) {
        const length = Math.hypot(...result.slice(0, 4)) || 1;
        for (let i = 0; i < 4; i++) result[i] /= length;
      }
      return result;
    }
  };
}
