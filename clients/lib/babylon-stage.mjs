// Plays a clip of a glTF file in Babylon.js under node: the real loader, real animation groups, an engine without a picture.
//
// How exact the result is: key times become frames of 60 a second in f64, values stay the file's f32, the arithmetic is
// f64. Against an exact evaluation of the glTF laws these differences are legitimate:
//
// 1. Quaternions whose dot product is above 0.999999 are lerped without being normalised afterwards; by the derivation
//    in three-stage.mjs that is at most 6e-11 rad, and the length, which is less than 1 by 5e-7 at most, is no turn.
// 2. Keys are not made unit length before slerp, as in three.js.
// 3. A cubic channel that starts after its group's first key gets a copy of its first key at the group's start, tangents
//    included, and moves before it should; the same at the end.

import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Scene } from '@babylonjs/core/scene.js';
import { readFile } from 'node:fs/promises';
import { clipIndex, columns } from './playing.mjs';

/** Largest angle of rotation, in radians, between Babylon's lerp and slerp. */
const LERP_BOUND_RAD = 1e-10;

/** Frames of a Babylon animation per second of a glTF file. */
const FRAMES_PER_SECOND = 60;

Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel;

/** Loads the GLB at `path`; resolves to a stage as `compare.mjs` wants it. */
export async function load(path) {
  const scene = new Scene(new NullEngine());
  // The axes of glTF, so that no node has to be mirrored.
  scene.useRightHandedSystem = true;
  let json;
  const pluginOptions = { gltf: { onParsed: (data) => (json = data.json), loadAllMaterials: false } };
  const bytes = new Uint8Array(await readFile(path));
  const container = await LoadAssetContainerAsync(bytes, scene, { pluginExtension: '.glb', pluginOptions });
  container.addAllToScene();
  const stage = { player: 'Babylon.js', shortcut_rad: LERP_BOUND_RAD, json, scene, container };
  stage.nodes = nodesOf(container, json);
  stage.standing = () => standing(stage);
  stage.play = (clip, times_s) => play(stage, clip, times_s);
  stage.rotationKeys = (sampler) => rotationKeys(stage, sampler);
  return stage;
}

/** The glTF nodes that were loaded, by the pointers that the loader leaves on what it makes of them. */
function nodesOf(container, json) {
  const made = new Map();
  for (const object of container.getNodes()) {
    for (const pointer of object._internalMetadata?.gltf?.pointers ?? []) {
      if (!made.has(pointer)) made.set(pointer, []);
      made.get(pointer).push(object);
    }
  }
  const known = (json.nodes ?? []).map(({ name }, index) => ({ index, name, objects: made.get(`/nodes/${index}`) }));
  return known
    .filter(({ objects }) => objects !== undefined)
    .map(({ index, name, objects: [object] }) => ({ index, name, object, meshes: morphMeshes(object) }));
}

/** The meshes with morph targets that one glTF node became: itself, or one child per primitive. */
function morphMeshes(object) {
  const isPrimitive = (mesh) =>
    mesh._internalMetadata?.gltf?.pointers?.every((pointer) => pointer.startsWith('/meshes/')) ?? false;
  const parts = object.getChildMeshes(true, isPrimitive);
  return [object, ...parts].filter((mesh) => mesh.morphTargetManager?.numTargets > 0);
}

/** The values of every node of the stage as it stands, shaped like one instant of `play`. */
function standing({ nodes }) {
  return nodes.map(({ index, name, object, meshes }) => ({
    index,
    name,
    translation: object.position.asArray(),
    rotation: object.rotationQuaternion?.asArray() ?? [0, 0, 0, 1],
    scale: object.scaling.asArray(),
    ...(meshes.length > 0 && { weights: weightsOf(index, meshes) }),
  }));
}

function weightsOf(index, meshes) {
  const influences = ({ morphTargetManager: manager }) =>
    Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i).influence);
  const [first, ...others] = meshes.map(influences);
  if (others.some((other) => String(other) !== String(first))) {
    throw new Error(`node ${index}: Babylon.js gives its primitives different morph weights`);
  }
  return first;
}

/** Plays one clip; returns `{clip_index, duration_s, nodes}`, the channels of each node being arrays parallel to `times_s`. */
function play(stage, clip, times_s) {
  if (!Array.isArray(times_s) || !times_s.every(Number.isFinite)) throw new Error('times_s: expected finite numbers');
  const index = clipIndex(stage.json, clip);
  const group = stage.container.animationGroups[index];
  group.start(false);
  group.pause();
  const instants = times_s.map((time) => {
    group.goToFrame(Math.min(Math.max(time * FRAMES_PER_SECOND, group.from), group.to));
    return standing(stage);
  });
  group.stop();
  return { clip_index: index, duration_s: group.to / FRAMES_PER_SECOND, nodes: columns(standing(stage), instants) };
}

/** The quaternions of a sampler's output, as they became keys. */
function rotationKeys({ json, container, nodes }, sampler) {
  const animation = json.animations.findIndex(({ samplers }) => samplers.includes(sampler));
  const uses = json.animations[animation].channels.filter(
    ({ sampler: index, target }) => json.animations[animation].samplers[index] === sampler && target.path === 'rotation',
  );
  const targets = uses.map(({ target }) => nodes.find(({ index }) => index === target.node)?.object);
  const { targetedAnimations } = container.animationGroups[animation];
  const own = targetedAnimations.filter(
    ({ target, animation: { targetProperty } }) => targets.includes(target) && targetProperty === 'rotationQuaternion',
  );
  return own.flatMap(({ animation: keyed }) => keyed.getKeys().map(({ value }) => value.asArray()));
}
