// Plays a clip of a glTF file in three.js under node: the real GLTFLoader, a real AnimationMixer, no picture.
//
// How exact the result is: key times and values are f32 (as in the file), the arithmetic is f64, and
// `AnimationMixer.setTime` hands the time to the tracks unrounded. Against an exact evaluation of the glTF laws
// only two differences are legitimate:
//
// 1. three.js replaces slerp by a normalised lerp when the dot product d of two keys is at least 0.9995. With
//    θ = acos d the lerp points at atan2(u·sin θ, 1 − u + u·cos θ) where slerp points at uθ; to third order they
//    differ by θ³·u(1 − u)(1 − 2u)/6, at most 5.1e-7 for θ = acos 0.9995, which is 1.02e-6 rad as an angle of
//    rotation (NLERP_BOUND_RAD).
// 2. Keys are not made unit length before slerp. Keys whose length is within 1 ± δ turn the result by at most
//    2.1·δ rad: nothing for f32, 6.4e-5 rad for i16, 1.7e-2 rad for i8.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AnimationMixer, Group, LoadingManager, LoopOnce, Texture } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clipIndex, columns } from './playing.mjs';
import { resourcePath } from './resources.mjs';

/** Largest angle of rotation, in radians, between three.js' normalised lerp and slerp. */
export const NLERP_BOUND_RAD = 1.02e-6;

// FileLoader reports progress with it; node 20 has everything else it uses (fetch, Request, ReadableStream).
globalThis.ProgressEvent ??= class ProgressEvent extends Event {};

/**
 * Loads the GLB or glTF at `path`.
 * Resolves to `{gltf, json, root, nodes}`, a stage as `compare.mjs` wants it: `json` is the document, `root` what a mixer
 * plays on, `nodes` the glTF nodes that are in a scene, each `{index, name, object, meshes}`.
 */
export async function load(path) {
  const bytes = await readFile(path);
  const manager = new LoadingManager();
  manager.setURLModifier((url) => (url.startsWith('data:') ? url : dataUri(path, url)));
  const loader = new GLTFLoader(manager).register(() => ({
    // Decoding pictures needs a browser, and no picture changes how a node moves.
    name: 'blank-textures',
    loadTexture: async () => new Texture(),
  }));
  loader.setMeshoptDecoder(MeshoptDecoder);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await loader.parseAsync(buffer, '');
  const root = rootOf(gltf);
  const stage = { player: 'three.js', shortcut_rad: NLERP_BOUND_RAD, gltf, json: gltf.parser.json, root };
  stage.nodes = await nodesBelow(root, gltf.parser);
  stage.standing = () => standing(stage);
  stage.play = (clip, times_s) => play(stage, clip, times_s);
  stage.rotationKeys = (sampler) => rotationKeys(gltf.parser, sampler);
  return stage;
}

/** The quaternions of a sampler's output. */
async function rotationKeys(parser, sampler) {
  const keys = await parser.getDependency('accessor', sampler.output);
  return Array.from({ length: keys.count }, (_, i) => [keys.getX(i), keys.getY(i), keys.getZ(i), keys.getW(i)]);
}

function dataUri(path, url) {
  return `data:application/octet-stream;base64,${readFileSync(resourcePath(path, url)).toString('base64')}`;
}

/** The scene; a file with several (or none) gets them all, since a clip may move nodes of any of them. */
function rootOf({ scenes }) {
  return scenes.length === 1 ? scenes[0] : new Group().add(...scenes);
}

/**
 * The glTF nodes below `root`, by index.
 *
 * Never by name: three.js changes names to bind by them. `parser.associations` maps objects to indices, but is
 * left empty when a file has more than one scene; `getDependency` answers with the very objects that were loaded.
 */
async function nodesBelow(root, parser) {
  const definitions = parser.json.nodes ?? [];
  const objects = await Promise.all(definitions.map((_, index) => parser.getDependency('node', index)));
  const all = new Set(objects);
  return objects
    .map((object, index) => ({ index, name: definitions[index].name, object, meshes: morphMeshes(object, all) }))
    .filter(({ object }) => isBelow(object, root));
}

function isBelow(object, root) {
  for (let ancestor = object; ancestor !== null; ancestor = ancestor.parent) {
    if (ancestor === root) return true;
  }
  return false;
}

/** The three.js meshes with morph targets that one glTF node became: one per primitive. */
function morphMeshes(object, nodes) {
  const own = object.morphTargetInfluences ? [object] : [];
  const parts = object.children.filter((child) => !nodes.has(child));
  return own.concat(parts.flatMap((part) => morphMeshes(part, nodes)));
}

/** The values of every node of the stage as it stands, shaped like one instant of `play`. */
function standing({ nodes }) {
  return nodes.map(({ index, name, object, meshes }) => ({
    index,
    name,
    translation: object.position.toArray(),
    rotation: object.quaternion.toArray(),
    scale: object.scale.toArray(),
    ...(meshes.length > 0 && { weights: weightsOf(index, meshes) }),
  }));
}

function weightsOf(index, meshes) {
  const [first, ...others] = meshes.map((mesh) => [...mesh.morphTargetInfluences]);
  if (others.some((other) => String(other) !== String(first))) {
    throw new Error(`node ${index}: three.js gives its primitives different morph weights`);
  }
  return first;
}

/**
 * Plays one clip and returns `{clip_index, duration_s, nodes}`, the channels of each node being arrays parallel to
 * `times_s`.
 * Before its start and after its end the clip is held, as glTF demands, not wrapped.
 */
function play(stage, clip, times_s) {
  if (!Array.isArray(times_s) || !times_s.every(Number.isFinite)) throw new Error('times_s: expected finite numbers');
  const index = clipIndex(stage.json, clip);
  const animation = stage.gltf.animations[index];
  const mixer = new AnimationMixer(stage.root);
  const action = mixer.clipAction(animation).setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  const instants = times_s.map((time) => {
    // At its end the action pauses, and paused it would show time 0 from then on.
    action.reset().play();
    mixer.setTime(time);
    return standing(stage);
  });
  mixer.stopAllAction();
  return { clip_index: index, duration_s: animation.duration, nodes: columns(standing(stage), instants) };
}
