// Human motions in three.js, whatever loader they need: where the joints of a figure are, at rest and at any time of a clip.

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { AnimationMixer, LoopOnce, PropertyBinding, Texture, TextureLoader, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { load } from './three-stage.mjs';

/** Longest step between two times at which a clip without frames is looked at, in seconds. */
const STEP_S = 1 / 30;

/** Times closer together than this, in seconds, are one: keys are stored in f32. */
const SAME_S = 1e-4;

/** Largest share of a joint's OFFSET that is about zero, and the share by which rounding to f32 is off. */
const ADDED = 0.1;
const ROUNDING = 1e-6;

const LOADERS = { '.bvh': loadBvh, '.fbx': loadFbx };

/**
 * Loads a motion: BVH, FBX, or glTF by any name (GLB, VRM, VRMA).
 * Resolves to `{root, nodes: [{name, object}], clips}`, the clips being those of three.js.
 */
export async function loadMotion(path) {
  const loader = LOADERS[extname(path).toLowerCase()] ?? loadGltf;
  const stage = await loader(path);
  stage.root.updateMatrixWorld(true);
  return stage;
}

async function loadGltf(path) {
  const { gltf, root, nodes } = await load(path);
  return { root, nodes, clips: gltf.animations.map((clip) => ({ clip, times_s: denser(keyTimes(clip)) })) };
}

/**
 * A BVH. three.js binds tracks by names, which may repeat or hold its separators, so bones get other names. It adds the OFFSET to
 * all positions, which replace the OFFSET in other programs. Positions of zero may not be there at all, and those of a joint below
 * the root that are about zero are meant as an addition.
 */
async function loadBvh(path) {
  const { skeleton, clip } = new BVHLoader().parse(await readFile(path, 'utf8'));
  const nodes = skeleton.bones.map((object) => ({ name: object.name, object }));
  const joints = skeleton.bones.filter(({ name }) => name !== 'ENDSITE');
  joints.forEach((bone, joint) => {
    const [position, rotation] = clip.tracks.slice(2 * joint);
    const offset = bone.position.toArray();
    const stored = position.values.map((value, at) => value - offset[at % 3]);
    const least = (joint === 0 ? ROUNDING : ADDED) * bone.position.length();
    if (stored.some((value) => Math.abs(value) > least)) position.values = stored;
    bone.name = `joint${joint}`;
    [position.name, rotation.name] = [`${bone.name}.position`, `${bone.name}.quaternion`];
  });
  return { root: skeleton.bones[0], nodes, clips: [{ clip, times_s: keyTimes(clip) }] };
}

async function loadFbx(path) {
  // Pictures and cameras ask for a browser; neither changes how a joint moves.
  globalThis.window ??= { URL: { createObjectURL: () => '' }, innerWidth: 1, innerHeight: 1 };
  TextureLoader.prototype.load = () => new Texture();
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const root = new FBXLoader().parse(buffer.slice(byteOffset, byteOffset + byteLength), '');
  const nodes = [];
  root.traverse((object) => nodes.push({ name: object.name, object }));
  return { root, nodes, clips: root.animations.map((clip) => ({ clip, times_s: denser(keyTimes(clip)) })) };
}

/** The times of all keys of a clip, in order. */
function keyTimes({ tracks }) {
  const times = tracks.flatMap((track) => [...track.times]).sort((a, b) => a - b);
  return times.filter((time, at) => at === 0 || time - times[at - 1] > SAME_S);
}

/** Times, and between those that are farther apart than a step as many more as are needed. */
function denser(times) {
  return times.flatMap((time, at) => {
    const before = times[at - 1] ?? time;
    const count = Math.max(Math.ceil((time - before) / STEP_S - SAME_S), 1);
    return Array.from({ length: count }, (_, n) => before + ((n + 1) * (time - before)) / count);
  });
}

/** The node with a name, joints of skins before others; three.js changes the names of an FBX. */
export function nodeNamed({ nodes }, name) {
  const all = nodes.filter((node) => node.name === name || node.name === PropertyBinding.sanitizeNodeName(name));
  return (all.find(({ object }) => object.isBone) ?? all[0])?.object;
}

/** The positions of objects as they stand now: one `Vector3` for each. */
export function positions(stage, objects) {
  stage.root.updateMatrixWorld(true);
  return objects.map((object) => new Vector3().setFromMatrixPosition(object.matrixWorld));
}

/** The positions of objects at some times of a clip, a list for each time. Before its start and after its end the clip is held. */
export function played(stage, clip, objects, times_s) {
  const mixer = new AnimationMixer(stage.root);
  const action = mixer.clipAction(clip).setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  const instants = times_s.map((time) => {
    action.reset().play();
    mixer.setTime(time);
    return positions(stage, objects);
  });
  mixer.stopAllAction();
  return instants;
}
