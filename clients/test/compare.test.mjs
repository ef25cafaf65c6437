// What compare.mjs promises for each player, on a file built here: it agrees when it should and, above all, objects when it
// should.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program, scratch } from './programs.mjs';
import { tinyGlb } from './tiny-glb.mjs';

const put = scratch();
const PLAYERS = ['three', 'babylon'];
const NODES = [{ name: 'hip', translation: [0, 1, 0], children: [1] }, { name: 'leg' }, { name: 'prop' }];
const CHANNELS = [
  { node: 1, path: 'translation', times: [0, 2], values: [0, 0, 0, 4, 0, 0] },
  { node: 1, path: 'rotation', times: [0, 2], values: [0, 0, 0, 1, 1, 0, 0, 0] },
];
const GLB = put('walk.glb', tinyGlb({ nodes: NODES, animations: [{ name: 'walk', channels: CHANNELS }] }));

/** What a correct sampler says of node 1 at three times; `change` spoils it. */
function sample(change = () => {}) {
  const half = Math.SQRT1_2;
  const channels = {
    translation: [
      [0, 0, 0],
      [2, 0, 0],
      [4, 0, 0],
    ],
    rotation: [
      [0, 0, 0, 1],
      [half, 0, 0, half],
      [-1, 0, 0, 0],
    ],
  };
  const document = {
    space: 'local',
    times_s: [0, 1, 7],
    tracks: [{ target: 'leg', index: 1, kind: 'joint', channels }],
  };
  change(document, channels);
  return document;
}

function compareOne(player, document) {
  const { status, lines } = program('compare.mjs', [player], [{ glb: GLB, clip: 'walk', sample: document }]);
  assert.equal(lines.length, 1);
  return { status, ...lines[0] };
}

for (const player of PLAYERS) {
  test(`${player}: a right sample agrees, and says how much was compared`, () => {
    const found = compareOne(player, sample());
    assert.equal(found.status, 0, JSON.stringify(found));
    assert.equal(found.agrees, true);
    assert.equal(found.values, 6);
    assert.equal(found.disagreements, 0);
  });

  test(`${player}: one wrong value is exit 1, with its node, channel and time`, () => {
    const found = compareOne(player, sample((_, channels) => (channels.translation[1][0] += 1e-4)));
    assert.equal(found.status, 1);
    assert.equal(found.disagreements, 1);
    const { node, name, channel, time_s, ours, theirs } = found.worst;
    assert.deepEqual({ node, name, channel, time_s }, { node: 1, name: 'leg', channel: 'translation', time_s: 1 });
    assert.deepEqual([ours[0], theirs[0]], [2.0001, 2]);
  });

  test(`${player}: every other kind of wrong sample is exit 1`, () => {
    const spoilers = {
      'a rotation turned by 1e-4': (_, channels) =>
        (channels.rotation[1] = [Math.sin(Math.PI / 4 + 5e-5), 0, 0, Math.cos(Math.PI / 4 + 5e-5)]),
      'the wrong node': (document) => (document.tracks[0].index = 0),
      'a node that the file has not': (document) => (document.tracks[0].index = 9),
      'an animated channel left out': (_, channels) => delete channels.rotation,
      'a value left out': (_, channels) => channels.translation.pop(),
      'a component left out': (_, channels) => channels.translation[1].pop(),
      'no number': (_, channels) => (channels.rotation[1][0] = null),
      'a rotation of no length': (_, channels) => (channels.rotation[1] = [0, 0, 0, 0]),
      'the same channel twice': (document) => document.tracks.push(document.tracks[0]),
      'model space': (document) => (document.space = 'model'),
      'no tracks at all': (document) => (document.tracks = []),
      'no times at all': (document, channels) => (
        (document.times_s = []),
        (channels.translation = channels.rotation = [])
      ),
    };
    for (const [what, change] of Object.entries(spoilers)) {
      const found = compareOne(player, sample(change));
      assert.equal(found.status, 1, what);
      assert.equal(found.agrees, false, what);
    }
  });

  test(`${player}: a job in which nothing is left to compare is exit 1`, () => {
    const still = put(
      'still.glb',
      tinyGlb({
        nodes: [{ name: 'a' }],
        animations: [{ channels: [{ node: 0, path: 'translation', times: [0], values: [0, 0, 0] }] }],
      }),
    );
    const document = {
      times_s: [0],
      tracks: [{ target: '/cameras/0/perspective/yfov', index: 0, channels: { yfov: [1] } }],
    };
    const { status, lines } = program('compare.mjs', [player], [{ glb: still, clip: 0, sample: document }]);
    assert.equal(status, 1);
    assert.equal(lines[0].values, 0);
    assert.equal(lines[0].disagreements, 0);
  });

  test(`${player}: channels that the player does not play are named and not compared`, () => {
    const found = compareOne(player, 
      sample((document) =>
        document.tracks.push({ target: 'shot', index: 0, kind: 'camera', channels: { yfov: [1, 1, 1] } }),
      ),
    );
    assert.equal(found.status, 0);
    assert.deepEqual(found.not_compared, [
      { target: 'shot', index: 0, channel: 'yfov', why: `${{ three: 'three.js', babylon: 'Babylon.js' }[player]} has no such channel` },
    ]);
  });

  test(`${player}: keys a little off unit length are allowed the turn they cause, and no more`, () => {
    const values = [0, 0, 0, 1.0001, 0.9999, 0, 0, 0];
    const channels = [{ node: 0, path: 'rotation', times: [0, 1], values }];
    const glb = put('long-keys.glb', tinyGlb({ nodes: [{ name: 'a' }], animations: [{ channels }] }));
    for (const [extra, expected] of [
      [0, 0],
      [4e-4, 1],
    ]) {
      const exact = [Math.sin(Math.PI / 4 + extra / 2), 0, 0, Math.cos(Math.PI / 4 + extra / 2)];
      const document = { times_s: [0.5], tracks: [{ target: 'a', index: 0, channels: { rotation: [exact] } }] };
      const { status, lines } = program('compare.mjs', [player], [{ glb, clip: 0, sample: document }]);
      assert.equal(status, expected, JSON.stringify(lines));
    }
  });
}

test('names that three.js confuses are found out', () => {
  // three.js turns "a b" and "a_b" into "a_b" and "a_b_1", and then has two nodes of that last name.
  const nodes = [{ name: 'a b' }, { name: 'a_b' }, { name: 'a_b_1' }];
  const channels = [{ node: 2, path: 'translation', times: [0], values: [1, 0, 0] }];
  const glb = put('confused.glb', tinyGlb({ nodes, animations: [{ channels }] }));
  const document = { times_s: [0], tracks: [{ target: 'a_b_1', index: 2, channels: { translation: [[1, 0, 0]] } }] };
  const { status, lines } = program('compare.mjs', ['three'], [{ glb, clip: 0, sample: document }]);
  assert.equal(status, 1);
  assert.equal(lines[0].disagreements, 2);
});

test('a player that nobody knows is wrong usage', () => {
  const { status } = program('compare.mjs', ['unity'], [{ glb: GLB, clip: 'walk', sample: sample() }]);
  assert.equal(status, 2);
});
