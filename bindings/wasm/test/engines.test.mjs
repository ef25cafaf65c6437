// Clips for three.js, Babylon.js and PlayCanvas: played by them, they show what `sample` says.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as BABYLON from '@babylonjs/core';
import * as pc from 'playcanvas';
import * as THREE from 'three';
import init, { animationsOf, open, toBabylonAnimationGroup, toPlayCanvasAnimTrack, toThreeAnimationClip } from 'dopesheet';
import { sample } from './lib/files.mjs';

before(() => init());

/** A motion with steps, straight pieces and morphs; the same with cubics; and one on a model, whose nodes hang together. */
const CASES = [
  ['bow.vmd', {}],
  ['bow.vmd', { cubic: true }],
  ['wave.json', {}],
  ['jump.bvh', {}],
];

/** PlayCanvas plays arcs as lines; js/playcanvas.js says how far they are apart. */
const FARTHEST_RAD = { three: 1e-5, babylon: 1e-5, playcanvas: 4e-5 };

const TIMES = Array.from({ length: 41 }, (_, i) => 0.0137 + i * 0.09);

/** What each engine shows, for the nodes of a file: a function from time, node and path to numbers. */
const ENGINES = {
  three(file, options, nodes) {
    const objects = nodes.map(({ name }) => {
      const object = new THREE.Mesh();
      object.name = THREE.PropertyBinding.sanitizeNodeName(name);
      object.morphTargetInfluences = new Array(16).fill(0);
      return object;
    });
    const root = new THREE.Group();
    nodes.forEach(({ parent }, index) => (objects[parent] ?? root).add(objects[index]));
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(toThreeAnimationClip(file, THREE, options));
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return (time, node, path, width) => {
      mixer.setTime(time);
      const { position, quaternion, scale, morphTargetInfluences } = objects[node];
      const values = { translation: position, rotation: quaternion, scale }[path]?.toArray();
      return (values ?? morphTargetInfluences).slice(0, width);
    };
  },

  babylon(file, options, nodes) {
    const scene = new BABYLON.Scene(new BABYLON.NullEngine());
    const objects = nodes.map(({ name }) => new BABYLON.TransformNode(name, scene));
    nodes.forEach(({ parent }, index) => parent >= 0 && (objects[index].parent = objects[parent]));
    objects.forEach((object) => (object.rotationQuaternion = BABYLON.Quaternion.Identity()));
    const morphs = nodes.map(() => Array.from({ length: 16 }, () => ({ influence: 0 })));
    const target = (_, node, property, index) => (property === 'influence' ? morphs[node][index] : objects[node]);
    const group = toBabylonAnimationGroup(file, BABYLON, { ...options, scene, target });
    group.start(false);
    group.pause();
    return (time, node, path, width) => {
      group.goToFrame(Math.min(time * 60, group.to));
      const { position, rotationQuaternion, scaling } = objects[node];
      const values = { translation: position, rotation: rotationQuaternion, scale: scaling }[path]?.asArray();
      return (values ?? morphs[node].map(({ influence }) => influence)).slice(0, width);
    };
  },

  playcanvas(file, options, nodes) {
    const objects = nodes.map(({ name }) => new pc.GraphNode(name));
    const root = new pc.GraphNode('root');
    nodes.forEach(({ parent }, index) => (objects[parent] ?? root).addChild(objects[index]));
    const binder = new pc.DefaultAnimBinder(root);
    const weights = new Map();
    const resolve = binder.resolve.bind(binder);
    // Weights need a mesh on a graphics device; what would be set is looked at instead.
    binder.resolve = (path) => {
      if (!path.propertyPath[0].startsWith('weight.')) return resolve(path);
      const key = `${path.entityPath.at(-1)}/${path.propertyPath[0]}`;
      const set = (value) => weights.set(key, value[0]);
      return { set, get: () => [0], targetPath: key, type: 'number', components: 1, isTransform: false };
    };
    const evaluator = new pc.AnimEvaluator(binder);
    const clip = new pc.AnimClip(toPlayCanvasAnimTrack(file, pc, options), 0, 1, true, false);
    clip.blendWeight = 1;
    evaluator.addClip(clip);
    return (time, node, path, width) => {
      clip.time = time;
      evaluator.update(0);
      const { localPosition: p, localRotation: r, localScale: s } = objects[node];
      const values = { translation: [p.x, p.y, p.z], rotation: [r.x, r.y, r.z, r.w], scale: [s.x, s.y, s.z] }[path];
      return values ?? Array.from({ length: width }, (_, i) => weights.get(`${nodes[node].name}/weight.${i}`) ?? 0);
    };
  },
};

/** The angle between two rotations. Cubics leave the unit sphere, and what is stored is sampled as it is. */
function angle(p, q) {
  const [a, b] = [p, q].map((r) => r.map((x) => x / Math.hypot(...r)));
  const apart = (sign) => Math.hypot(...a.map((x, i) => x - sign * b[i]));
  return 4 * Math.asin(Math.min(Math.min(apart(1), apart(-1)) / 2, 1));
}

for (const [engine, stage] of Object.entries(ENGINES)) {
  test(`${engine} shows what sample says`, async () => {
    for (const [name, options] of CASES) {
      const file = await open(sample(name), { name });
      const glb = await open(file.convert({ ...options, to: 'glb' }).data, { name: 'x.glb' });
      const { nodes, animations } = animationsOf(file, options);
      const times = TIMES.filter((time) => time < animations[0].duration);
      const { tracks } = glb.sample({ times });
      const show = stage(file, options, nodes);
      let compared = 0;
      const seen = new Set();
      for (const { index, channels } of tracks) {
        for (const path of ['translation', 'rotation', 'scale', 'weights']) {
          if (!(path in channels)) continue;
          if (!animations[0].channels.some((c) => c.node === index && c.path === path)) continue;
          const { width, values } = channels[path];
          times.forEach((time, row) => {
            const expected = [...values.subarray(row * width, (row + 1) * width)];
            const found = show(time, index, path, width);
            const what = `${name} ${JSON.stringify(options)}: ${nodes[index].name} ${path} at ${time}: ${found}, not ${expected}`;
            if (path === 'rotation') assert.ok(angle(found, expected) <= FARTHEST_RAD[engine], what);
            else found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= 2e-5 * Math.max(1, Math.abs(x)), what));
            compared += 1;
            seen.add(`${index} ${path}`);
          });
        }
      }
      assert.equal(seen.size, animations[0].channels.length, `${name}: all channels are compared`);
      assert.ok(compared >= 100, `${name}: only ${compared} values`);
    }
  });
}

test('cubics are there to be played', async () => {
  const file = await open(sample('bow.vmd'), { name: 'bow.vmd' });
  const { animations } = animationsOf(file, { cubic: true });
  assert.ok(animations[0].channels.some(({ interpolation }) => interpolation === 'CUBICSPLINE'));
  assert.ok(animations[0].channels.every(({ times }) => times instanceof Float32Array));
});
