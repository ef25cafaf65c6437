// What three-play.mjs promises, on files built here: no corpus needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion } from 'three';
import { angle } from '../lib/compare.mjs';
import { NLERP_BOUND_RAD, load } from '../lib/three-stage.mjs';
import { program, scratch } from './programs.mjs';
import { tinyGlb } from './tiny-glb.mjs';

const put = scratch();
const slide = (node, x) => ({ node, path: 'translation', times: [0.5, 1], values: [0, 0, 0, x, 0, 0] });

function playOne(bytes, times_s, clip = 0) {
  const { status, lines } = program('three-play.mjs', [], [{ glb: put('played.glb', bytes), clip, times_s }]);
  assert.equal(status, 0, JSON.stringify(lines));
  return lines[0];
}

test('a clip is held before its first key and after its end, in any order of times', () => {
  const bytes = tinyGlb({ nodes: [{ name: 'a' }], animations: [{ name: 'go', channels: [slide(0, 4)] }] });
  const played = playOne(bytes, [9, 0.75, -3, 1, 0, 0.5, 0.875], 'go');
  assert.equal(played.clip, 'go');
  assert.equal(played.clip_index, 0);
  assert.equal(played.duration_s, 1);
  assert.deepEqual(
    played.nodes[0].translation.map(([x]) => x),
    [4, 2, 0, 4, 0, 0, 3],
  );
  assert.equal(played.nodes[0].weights, undefined);
});

test('rotations, steps and cubic curves follow the glTF laws', () => {
  const half = Math.SQRT1_2;
  const channels = [
    { node: 0, path: 'rotation', times: [0, 1], values: [0, 0, 0, 1, 0, half, 0, half] },
    { node: 0, path: 'scale', times: [0, 1], values: [1, 1, 1, 2, 3, 4], interpolation: 'STEP' },
    // Two units per second out of the first key, none into the second, over two seconds.
    {
      node: 0,
      path: 'translation',
      times: [0, 2],
      interpolation: 'CUBICSPLINE',
      values: [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0],
    },
  ];
  const {
    nodes: [node],
  } = playOne(tinyGlb({ nodes: [{}], animations: [{ channels }] }), [0.5, 1]);
  assert.ok(angle(node.rotation[0], [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]) < 2e-7);
  assert.deepEqual(node.scale, [
    [1, 1, 1],
    [2, 3, 4],
  ]);
  const u = 0.25;
  const hermite =
    (2 * u ** 3 - 3 * u ** 2 + 1) * 1 + 2 * (u ** 3 - 2 * u ** 2 + u) * 2 + (-2 * u ** 3 + 3 * u ** 2) * 3;
  assert.ok(Math.abs(node.translation[0][0] - hermite) < 1e-12);
});

test('a single key at zero makes a clip of no length that still plays', () => {
  const channels = [{ node: 0, path: 'translation', times: [0], values: [1, 2, 3] }];
  const { duration_s, nodes } = playOne(tinyGlb({ nodes: [{}], animations: [{ channels }] }), [0, 1]);
  assert.equal(duration_s, 0);
  assert.deepEqual(nodes[0].translation, [
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('nodes keep their index and their own name, whatever three.js calls them', () => {
  const nodes = [{ name: 'L.hand [1]', children: [1] }, { name: '左 手' }, {}, { name: '左 手' }];
  const channels = [slide(0, 1), slide(1, 2), slide(2, 3), slide(3, 4)];
  const played = playOne(tinyGlb({ nodes, animations: [{ channels }] }), [1]);
  assert.deepEqual(
    played.nodes.map(({ index, name, translation: [[x]] }) => [index, name, x]),
    [
      [0, 'L.hand [1]', 1],
      [1, '左 手', 2],
      [2, undefined, 3],
      [3, '左 手', 4],
    ],
  );
});

test('the indices are those of parser.associations, and hold in a file with two scenes, where it is empty', async () => {
  const nodes = [{ name: 'a' }, { name: 'b' }];
  const animations = [{ channels: [slide(0, 1), slide(1, 2)] }];
  const { gltf, nodes: found } = await load(put('one.glb', tinyGlb({ nodes, animations })));
  for (const { index, object } of found) assert.equal(gltf.parser.associations.get(object).nodes, index);
  assert.equal(found.length, 2);
  const two = tinyGlb({ nodes, animations, scenes: [{ nodes: [1] }, { nodes: [0] }] });
  assert.deepEqual(
    playOne(two, [1]).nodes.map(({ index, translation: [[x]] }) => [index, x]),
    [
      [0, 1],
      [1, 2],
    ],
  );
});

test('a node that is in no scene is left out', () => {
  const bytes = tinyGlb({
    nodes: [{ name: 'a' }, { name: 'b' }],
    scenes: [{ nodes: [1] }],
    animations: [{ channels: [slide(0, 1), slide(1, 2)] }],
  });
  const played = playOne(bytes, [1]);
  assert.deepEqual(
    played.nodes.map(({ index }) => index),
    [1],
  );
  assert.match(played.warnings[0], /No target node found/);
});

test('weights move all primitives of a mesh, and start from the weights of the node', () => {
  const weights = { node: 0, path: 'weights', times: [0, 1], values: [0, 1, 1, 0] };
  const nodes = [
    { name: 'face', mesh: 0, weights: [0.25, 0.5], children: [1] },
    { name: 'child', mesh: 0 },
  ];
  for (const morphs of [[2], [2, 2]]) {
    const still = playOne(tinyGlb({ nodes, morphs, animations: [{ channels: [slide(0, 1)] }] }), [1]);
    assert.deepEqual(
      still.nodes.map((node) => node.weights),
      [[[0.25, 0.5]], [[0, 0]]],
    );
  }
  const alone = tinyGlb({ nodes: [{ name: 'face', mesh: 0 }], morphs: [2, 2], animations: [{ channels: [weights] }] });
  assert.deepEqual(playOne(alone, [0, 0.25, 1]).nodes[0].weights, [
    [0, 1],
    [0.25, 0.75],
    [1, 0],
  ]);
});

test('a job that fails is exit 1 and does not stop the others', () => {
  const glb = put('good.glb', tinyGlb({ nodes: [{}], animations: [{ channels: [slide(0, 1)] }] }));
  const jobs = [
    { glb: 'no such file', clip: 0, times_s: [0] },
    { glb, clip: 'no such clip', times_s: [0] },
    { glb, clip: 0, times_s: ['0'] },
    { glb: put('text.glb', 'nonsense'), clip: 0, times_s: [0] },
    { glb, clip: 0, times_s: [0] },
  ];
  const { status, lines } = program('three-play.mjs', [], jobs);
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map(({ error }) => error !== undefined),
    [true, true, true, true, false],
  );
});

test('wrong usage is exit 2', () => {
  for (const [args, input] of [
    [['file.glb'], ''],
    [[], ''],
    [[], '{"glb":\n'],
    [[], '{"clip":0}\n'],
  ]) {
    assert.equal(program('three-play.mjs', args, input).status, 2, input);
    assert.equal(program('compare.mjs', ['three', ...args], input).status, 2, input);
  }
});

test('the stated bound of the nlerp shortcut holds and is tight', () => {
  let worst = 0;
  for (let u = 0; u <= 1; u += 1 / 4096) {
    const theta = Math.acos(0.9995 + 1e-12);
    const quaternion = (at) => [Math.sin(at), 0, 0, Math.cos(at)];
    const shortcut = new Quaternion(...quaternion(0)).slerp(new Quaternion(...quaternion(theta)), u).toArray();
    worst = Math.max(worst, angle(shortcut, quaternion(u * theta)));
  }
  assert.ok(worst <= NLERP_BOUND_RAD && worst > 0.99 * NLERP_BOUND_RAD, String(worst));
});

test('keys off unit length by δ turn the result of a slerp by at most 2.1 δ', () => {
  let worst = 0;
  for (const delta of [1e-7, 3.05e-5, 8e-3]) {
    for (let theta = 0.001; theta <= Math.PI / 2; theta += 0.013) {
      for (const [m, n] of [
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
        [0, 1],
        [1, 0],
      ]) {
        for (let u = 0; u <= 1; u += 1 / 32) {
          const at = (angle, off) => [Math.sin(angle), 0, 0, Math.cos(angle)].map((value) => value * (1 + off * delta));
          const found = [0, 0, 0, 0];
          Quaternion.slerpFlat(found, 0, at(0, m), 0, at(theta, n), 0, u);
          const beyond = angle(found, at(u * theta, 0)) - NLERP_BOUND_RAD;
          worst = Math.max(worst, beyond / delta);
        }
      }
    }
  }
  assert.ok(worst <= 2.1 && worst > 1.9, String(worst));
});
