import { animationOf } from './gltf.js';

/** Frames of Babylon.js a second, in which it counts time: those that its own loader takes. */
const FPS = 60;

/**
 * A clip of a file as an AnimationGroup of Babylon.js.
 *
 * `babylon` is the module, as in `import * as BABYLON from '@babylonjs/core'`. `options` are those of `convert`, and
 * `scene`, to which the group belongs, and `target`: a function from a node's name, its position in the file and the
 * property (`position`, `rotationQuaternion`, `scaling`, `influence` and which of them) to the object that is to move,
 * or `undefined`. Without it the scene's nodes are asked by name, and morph targets of meshes by their position.
 */
export function toBabylonAnimationGroup(file, babylon, { scene, target = finder(scene), ...options } = {}) {
  const { nodes, animation } = animationOf(file, options);
  const group = new babylon.AnimationGroup(animation.name || file.name, scene);
  for (const channel of animation.channels) {
    const { name } = nodes[channel.node];
    for (const part of partsOf(channel, babylon)) {
      const object = target(name, channel.node, part.property, part.index);
      if (object === undefined || object === null) continue;
      const label = `${name}.${part.property}${part.index ?? ''}`;
      const made = new babylon.Animation(label, part.property, FPS, part.kind, babylon.Animation.ANIMATIONLOOPMODE_CYCLE);
      made.setKeys(keysOf(channel, part, babylon));
      group.addTargetedAnimation(made, object);
    }
  }
  group.normalize(0, animation.duration * FPS);
  return group;
}

function finder(scene) {
  return (name, _, property, index) => {
    const node = scene?.getNodeByName(name);
    if (property !== 'influence') return node;
    return node?.morphTargetManager?.getTarget(index);
  };
}

/** The animations that a channel becomes: one, or one for each morph target. */
function partsOf({ path, times, values, interpolation }, { Animation, Vector3, Quaternion }) {
  const vector = (property) => ({
    property,
    width: 3,
    offset: 0,
    kind: Animation.ANIMATIONTYPE_VECTOR3,
    make: (at) => new Vector3(...at),
  });
  switch (path) {
    case 'translation':
      return [vector('position')];
    case 'scale':
      return [vector('scaling')];
    case 'rotation': {
      const make = (at) => new Quaternion(...at);
      return [{ property: 'rotationQuaternion', width: 4, offset: 0, kind: Animation.ANIMATIONTYPE_QUATERNION, make }];
    }
    default: {
      const count = values.length / times.length / (interpolation === 'CUBICSPLINE' ? 3 : 1);
      const part = (index) => ({
        property: 'influence',
        index,
        width: 1,
        offset: index,
        kind: Animation.ANIMATIONTYPE_FLOAT,
        make: ([at]) => at,
      });
      return Array.from({ length: count }, (_, index) => part(index));
    }
  }
}

function keysOf({ times, values, interpolation }, { width, offset, make }, babylon) {
  const isCubic = interpolation === 'CUBICSPLINE';
  const row = values.length / times.length;
  const step = babylon.AnimationKeyInterpolation?.STEP ?? 1;
  const numbers = (key, part) => {
    const from = key * row + (isCubic ? (part * row) / 3 : 0) + offset;
    return Array.from(values.subarray(from, from + width));
  };
  // Slopes are by frame there.
  const slope = (key, part) => make(numbers(key, part).map((x) => x / FPS));
  return Array.from(times, (time, key) => {
    const frame = time * FPS;
    if (isCubic) return { frame, inTangent: slope(key, 0), value: make(numbers(key, 1)), outTangent: slope(key, 2) };
    const plain = { frame, value: make(numbers(key, 0)) };
    return interpolation === 'STEP' ? { ...plain, interpolation: step } : plain;
  });
}
