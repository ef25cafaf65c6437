// Faces of many materials: loaders of engines make several meshes of such a mesh, and all of them have to move.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as BABYLON from '@babylonjs/core';
import '@babylonjs/loaders/glTF/2.0/index.js';
import * as pc from 'playcanvas';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import init, { animationsOf, open, toBabylonAnimationGroup, toPlayCanvasAnimTrack, toThreeAnimationClip } from 'dopesheet';
import { MATERIALS, face } from './lib/face.mjs';

before(() => init());

/** Of each node with morph targets, the mouth and the eyes at a quarter and at the half of a second, as lib/face.mjs has them. */
const SHOWN = [
  { time: 0.25, Face: [0.25, 0.5], Beard: [0.75, 0] },
  { time: 0.5, Face: [0.5, 1], Beard: [0.5, 0] },
];

const opened = (options) => open(face(options), { name: 'face.glb' });

const near = (found, expected, what) => {
  assert.equal(found.length, expected.length, what);
  found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${what}: ${found}, not ${expected}`));
};

async function threeScene(bytes) {
  const { scene } = await new GLTFLoader().parseAsync(bytes.buffer, '');
  return scene;
}

/** The meshes of three.js below the object of a node, without those of the node that hangs below it. */
function meshesOf(scene, name) {
  const meshes = [];
  const collect = (object) => {
    if (object.morphTargetInfluences) meshes.push(object);
    object.children.filter((child) => child.name !== 'Beard').forEach(collect);
  };
  collect(scene.getObjectByName(name));
  return meshes;
}

for (const [what, options] of [
  ['a face', {}],
  ['a face whose parts are called like other objects', { others: ['Face_1', 'Face_2'] }],
  ['a face that is a joint as well', { isJoint: true }],
]) {
  test(`the mouth of ${what} of 17 materials moves in three.js`, async () => {
    const file = await opened(options);
    const scene = await threeScene(face(options));
    const [parts, beard] = ['Face', 'Beard'].map((name) => meshesOf(scene, name));
    assert.deepEqual([MATERIALS, parts.length, beard.length], [17, 17, 1]);
    assert.equal(new Set(parts.map(({ material }) => material.name)).size, MATERIALS);
    const mixer = new THREE.AnimationMixer(scene);
    const clip = toThreeAnimationClip(file, THREE, { root: scene });
    mixer.clipAction(clip).play();
    for (const { time, Face, Beard } of SHOWN) {
      mixer.setTime(time);
      parts.forEach((part) => near(part.morphTargetInfluences, Face, `${part.name} at ${time}`));
      near(beard[0].morphTargetInfluences, Beard, `beard at ${time}`);
      assert.ok(Math.abs(scene.getObjectByName('Face').position.y - time) < 1e-6, 'the head goes up');
    }
    const weights = clip.tracks.filter(({ name }) => name.endsWith('.morphTargetInfluences'));
    assert.equal(weights.length, MATERIALS + 1);
    assert.equal(new Set(weights.flatMap(({ times, values }) => [times.buffer, values.buffer])).size, 2 * weights.length);
  });
}

test('without a root, and where it has no such face, tracks keep the names of the nodes', async () => {
  const file = await opened();
  for (const options of [{}, { root: new THREE.Group() }]) {
    const names = toThreeAnimationClip(file, THREE, options).tracks.map(({ name }) => name);
    assert.deepEqual(names.sort(), ['Beard.morphTargetInfluences', 'Face.morphTargetInfluences', 'Face.position']);
  }
});

test('the mouth of a face of 17 materials moves in Babylon.js', async () => {
  const file = await opened();
  BABYLON.Logger.LogLevels = BABYLON.Logger.ErrorLogLevel;
  const scene = new BABYLON.Scene(new BABYLON.NullEngine());
  const data = `data:;base64,${Buffer.from(face()).toString('base64')}`;
  await BABYLON.SceneLoader.AppendAsync('', data, scene, undefined, '.glb');
  scene.animationGroups.forEach((group) => group.stop());
  const parts = scene.getNodeByName('Face').getChildMeshes(true, ({ name }) => name !== 'Beard');
  assert.equal(parts.length, MATERIALS);
  const group = toBabylonAnimationGroup(file, BABYLON, { scene });
  group.start(false);
  group.pause();
  const shown = ({ morphTargetManager: all }) => [0, 1].map((index) => all.getTarget(index).influence);
  for (const { time, Face, Beard } of SHOWN) {
    group.goToFrame(time * 60);
    parts.forEach((part) => near(shown(part), Face, `${part.name} at ${time}`));
    near(shown(scene.getNodeByName('Beard')), Beard, `beard at ${time}`);
  }
});

test('the mouth of a face of 17 materials moves in PlayCanvas', async () => {
  const file = await opened();
  const { nodes } = animationsOf(file);
  const entities = nodes.map(({ name }) => new pc.GraphNode(name));
  nodes.forEach(({ parent }, index) => entities[parent]?.addChild(entities[index]));
  // An entity with its components needs an application; what looks for meshes asks for no more than this.
  const root = Object.create(pc.Entity.prototype, Object.getOwnPropertyDescriptors(new pc.GraphNode('root')));
  entities.filter((_, index) => nodes[index].parent < 0).forEach((entity) => root.addChild(entity));
  const part = (name) => {
    const weights = [0, 0];
    const morphInstance = { weights, setWeight: (at, value) => (weights[at] = value), getWeight: (at) => weights[at] };
    return { node: entities[nodes.findIndex((node) => node.name === name)], morphInstance };
  };
  const parts = Array.from({ length: MATERIALS }, () => part('Face'));
  const beard = part('Beard');
  Object.defineProperty(root, 'render', { value: { meshInstances: [...parts, beard] } });
  const binder = new pc.DefaultAnimBinder(root);
  const resolve = binder.resolve.bind(binder);
  // As the binder of the engine's component for animation does, which is not exported.
  binder.resolve = (path) => {
    const [, index] = path.propertyPath[0].split('weight.');
    return index === undefined ? resolve(path) : binder.handlers.weight(binder.findNode(path), index);
  };
  const evaluator = new pc.AnimEvaluator(binder);
  const clip = new pc.AnimClip(toPlayCanvasAnimTrack(file, pc), 0, 1, true, false);
  clip.blendWeight = 1;
  evaluator.addClip(clip);
  for (const { time, Face, Beard } of SHOWN) {
    clip.time = time;
    evaluator.update(0);
    parts.forEach(({ morphInstance }) => near(morphInstance.weights, Face, `face at ${time}`));
    near(beard.morphInstance.weights, Beard, `beard at ${time}`);
  }
});
