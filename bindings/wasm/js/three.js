import { animationOf } from './gltf.js';

const PROPERTIES = {
  translation: ['position', 'VectorKeyframeTrack'],
  rotation: ['quaternion', 'QuaternionKeyframeTrack'],
  scale: ['scale', 'VectorKeyframeTrack'],
  weights: ['morphTargetInfluences', 'NumberKeyframeTrack'],
};

/**
 * A clip of a file as an AnimationClip of three.js. Objects are found by the names that GLTFLoader gives them.
 *
 * `three` is the module, as in `import * as THREE from 'three'`; `options` are those of `convert`.
 */
export function toThreeAnimationClip(file, three, options = {}) {
  const { nodes, animation } = animationOf(file, options);
  const tracks = animation.channels.map(({ node, path, interpolation, times, values }) => {
    const [property, kind] = PROPERTIES[path];
    const name = `${three.PropertyBinding.sanitizeNodeName(nodes[node].name)}.${property}`;
    const law = interpolation === 'STEP' ? three.InterpolateDiscrete : three.InterpolateLinear;
    const track = new three[kind](name, times, values, law);
    if (interpolation === 'CUBICSPLINE') followCubics(three, track, path === 'rotation');
    return track;
  });
  return new three.AnimationClip(animation.name, animation.duration, tracks);
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
