import { animationOf, rowOf } from './gltf.js';

/** Frames of Babylon.js a second, in which it counts time: those that its own loader takes. */
const FPS = 60;

/**
 * A clip of a file as an AnimationGroup of Babylon.js.
 *
 * `babylon` is the module, as in `import * as BABYLON from '@babylonjs/core'`. `options` are those of `convert`, and
 * `scene`, to which the group belongs, and `target`: a function from a node's name, its position in the file and the
 * property (`position`, `rotationQuaternion`, `scaling`, `influence` and which of them) to the object that is to move,
 * to several in an array, or to `undefined`. Without it the scene's nodes are asked by name, and morph targets of meshes by
 * their position: of the node's own mesh, or of those that Babylon's loader makes of one with several materials.
 */
export function toBabylonAnimationGroup(file, babylon, { scene, target = undefined, ...options } = {}) {
  return babylonGroup(animationOf(file, options), babylon, { scene, target });
}

/** An animation as an AnimationGroup. */
export function babylonGroup({ name: fileName, nodes, animation }, babylon, { scene, target = undefined } = {}) {
  const find = target ?? finder(scene, nodes);
  const group = new babylon.AnimationGroup(animation.name || fileName, scene);
  for (const channel of animation.channels) {
    const { name } = nodes[channel.node];
    for (const part of partsOf(channel, babylon)) {
      const found = [find(name, channel.node, part.property, part.index)].flat();
      const objects = found.filter((object) => object !== undefined && object !== null);
      if (objects.length === 0) continue;
      const label = `${name}.${part.property}${part.index ?? ''}`;
      const made = new babylon.Animation(label, part.property, FPS, part.kind, babylon.Animation.ANIMATIONLOOPMODE_CYCLE);
      made.setKeys(keysOf(channel, part, babylon));
      objects.forEach((object) => group.addTargetedAnimation(made, object));
    }
  }
  group.normalize(0, animation.duration * FPS);
  return group;
}

function finder(scene, nodes) {
  return (name, at, property, index) => {
    const node = scene?.getNodeByName(name);
    if (property !== 'influence' || !node) return node;
    // The nodes that the file itself has below this one have faces of their own.
    const others = new Set(nodes.filter(({ parent }) => parent === at).map(({ name }) => name));
    const parts = node.getChildMeshes(true, (mesh) => !others.has(mesh.name));
    const faces = node.morphTargetManager ? [node] : parts;
    return faces.flatMap(({ morphTargetManager: all }) => (index < (all?.numTargets ?? 0) ? [all.getTarget(index)] : []));
  };
}

/** The animations that a channel becomes: one, or one for each morph target. */
function partsOf(channel, { Animation, Vector3, Quaternion }) {
  const vector = (property) => ({
    property,
    width: 3,
    offset: 0,
    kind: Animation.ANIMATIONTYPE_VECTOR3,
    make: (at) => new Vector3(...at),
  });
  switch (channel.path) {
    case 'translation':
      return [vector('position')];
    case 'scale':
      return [vector('scaling')];
    case 'rotation': {
      const make = (at) => new Quaternion(...at);
      return [{ property: 'rotationQuaternion', width: 4, offset: 0, kind: Animation.ANIMATIONTYPE_QUATERNION, make }];
    }
    default: {
      const part = (index) => ({
        property: 'influence',
        index,
        width: 1,
        offset: index,
        kind: Animation.ANIMATIONTYPE_FLOAT,
        make: ([at]) => at,
      });
      return Array.from({ length: rowOf(channel) }, (_, index) => part(index));
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
