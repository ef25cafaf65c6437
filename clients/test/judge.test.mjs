// What judge.mjs calls good and bad, on figures that are built here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program, scratch } from './programs.mjs';
import { tinyGlb } from './tiny-glb.mjs';

const put = scratch();

const TIMES = Array.from({ length: 31 }, (_, frame) => frame / 30);

/** Joints of a figure of 1.6 m with its front at +Z: parent, and place beside it. */
const JOINTS = {
  hips: [null, 0, 0.9, 0],
  neck: ['hips', 0, 0.5, 0],
  head: ['neck', 0, 0.1, 0],
  ...sides((side, x) => ({
    [`${side}UpperArm`]: ['neck', 0.15 * x, 0, 0],
    [`${side}LowerArm`]: [`${side}UpperArm`, 0.3 * x, 0, 0],
    [`${side}Hand`]: [`${side}LowerArm`, 0.25 * x, 0, 0],
    [`${side}UpperLeg`]: ['hips', 0.1 * x, -0.05, 0],
    [`${side}LowerLeg`]: [`${side}UpperLeg`, 0, -0.4, 0.02],
    [`${side}Foot`]: [`${side}LowerLeg`, 0, -0.37, -0.02],
    [`${side}Toes`]: [`${side}Foot`, 0, -0.08, 0.12],
  })),
};

function sides(of) {
  return { ...of('left', 1), ...of('right', -1) };
}

const isMiddle = (time) => Math.abs(time - 0.5) < 0.02;

const turn = (axis, degrees) => {
  const half = (degrees * Math.PI) / 360;
  return [...[0, 1, 2].map((at) => (at === axis ? Math.sin(half) : 0)), Math.cos(half)];
};

/**
 * A figure that stands with its left arm swinging down, `scale` times as large, under a root that turns it as `root` says.
 * `moves` change joints: `{joint: {rotation or translation: time => value}}`, translations being added to the rest pose.
 */
function figure({ prefix = '', scale = 1, root = [0, 0, 0, 1], moves = {} } = {}) {
  const names = Object.keys(JOINTS);
  const rest = (name) => JOINTS[name].slice(1).map((part) => part * scale);
  const below = (parent) => names.flatMap((name, at) => (JOINTS[name][0] === parent ? [at + 1] : []));
  const nodes = [{ name: 'root', rotation: root, children: below(null) }];
  for (const name of names) nodes.push({ name: prefix + name, translation: rest(name), children: below(name) });
  nodes.forEach((node) => node.children.length === 0 && delete node.children);
  const all = { leftUpperArm: { rotation: (time) => turn(2, -60 * time) }, ...moves };
  const channels = Object.entries(all).flatMap(([name, paths]) =>
    Object.entries(paths).map(([path, at]) => {
      const value = (time) => (path === 'rotation' ? at(time) : at(time).map((part, axis) => part + rest(name)[axis]));
      return { node: names.indexOf(name) + 1, path, times: TIMES, values: TIMES.flatMap(value) };
    }),
  );
  return tinyGlb({ nodes, animations: [{ channels }] });
}

const bones = Object.keys(JOINTS).map((bone) => ({ bone, from: bone, to: `of-${bone}` }));

/** What the judge says of some results of the same motion. */
function judged(results) {
  const motion = put('source.glb', figure());
  const jobs = Object.entries(results).map(([name, parts]) => {
    return { glb: put(`${name}.glb`, figure({ prefix: 'of-', ...parts })), motion, bones };
  });
  const { status, lines } = program('judge.mjs', [], jobs);
  return { status, ...Object.fromEntries(Object.keys(results).map((name, at) => [name, lines[at]])) };
}

const beyond = ({ reasons }) => reasons.map((reason) => reason.split(' ')[0]);

test('the same motion is good on a larger figure that faces another way in other axes', () => {
  const { status, larger, zUp } = judged({
    larger: { scale: 1.3, root: turn(1, 180) },
    zUp: { root: turn(0, 90) },
  });
  assert.equal(status, 0);
  for (const { verdict, measures } of [larger, zUp]) {
    assert.equal(verdict, 'good');
    assert.ok(measures.arm_deg.value < 0.01 && measures.held_leg_deg.value < 0.01, JSON.stringify(measures));
  }
});

test('each fault is found, with its bone and time, and nothing else', () => {
  const { status, arm, slide, sunk, knee, foot } = judged({
    arm: { moves: { leftUpperArm: { rotation: (time) => turn(2, -60 * time - (isMiddle(time) ? 10 : 0)) } } },
    slide: { moves: { hips: { translation: (time) => [0.04 * time, 0, 0] } } },
    sunk: { moves: { hips: { translation: () => [0, -0.05, 0] } } },
    // Legs are nearly straight, so a knee that bends backwards is hardly seen in their directions.
    knee: {
      moves: {
        rightUpperLeg: { rotation: (time) => turn(0, isMiddle(time) ? 5 : 0) },
        rightLowerLeg: { rotation: (time) => turn(0, isMiddle(time) ? -12 : 0) },
      },
    },
    foot: { moves: { leftFoot: { rotation: () => turn(0, -30) } } },
  });
  assert.equal(status, 1);
  const kinds = ['arm_deg', 'slide_mm', 'sunk_mm', 'joint_deg_s', 'foot_deg'];
  assert.deepEqual([arm, slide, sunk, knee, foot].map(beyond), kinds.map((kind) => [kind]));
  const { value, bone, time_s } = arm.measures.arm_deg;
  assert.ok(Math.abs(value - 10) < 0.01 && Math.abs(time_s - 0.5) < 0.05, JSON.stringify(arm));
  assert.match(bone, /^left(Upper|Lower)Arm$/);
  assert.ok(Math.abs(slide.measures.slide_mm.value - 40) < 0.1 && Math.abs(sunk.measures.sunk_mm.value - 50) < 0.1);
});

test('a capture is read as it is meant: positions replace the offset of a root, and names may have colons', () => {
  const at = ([, ...offset]) => offset.map((part) => 100 * part).join(' ');
  const joint = (name) => {
    const below = Object.keys(JOINTS).filter((other) => JOINTS[other][0] === name);
    const [word, channels] = name === 'hips' ? ['ROOT', '6 Xposition Yposition Zposition'] : ['JOINT', '3'];
    const inner = below.length > 0 ? below.map(joint).join('\n') : 'End Site\n{\nOFFSET 0 0 0\n}';
    return `${word} figure:${name}\n{\nOFFSET ${at(JOINTS[name])}\nCHANNELS ${channels} Zrotation Xrotation Yrotation\n${inner}\n}`;
  };
  const zeros = Array(3 * Object.keys(JOINTS).length).fill(0).join(' ');
  const frames = `MOTION\nFrames: 2\nFrame Time: 0.1\n${`0 90 0 ${zeros}\n`.repeat(2)}`;
  const motion = put('walk.bvh', `HIERARCHY\n${joint('hips')}\n${frames}`);
  const glb = put('still.glb', figure({ prefix: 'of-', moves: { leftUpperArm: { rotation: () => turn(2, 0) } } }));
  const job = { glb, motion, bones: bones.map((row) => ({ ...row, from: `figure:${row.from}` })) };
  const { status, lines } = program('judge.mjs', [], [job]);
  assert.equal(status, 0, JSON.stringify(lines));
  assert.ok(Math.abs(lines[0].measures.sunk_mm.value) < 0.1);
});

test('a pair without a figure is an error, and the next one is judged', () => {
  const motion = put('source.glb', figure());
  const glb = put('result.glb', figure({ prefix: 'of-' }));
  const { status, lines } = program('judge.mjs', [], [
    { glb, motion, bones: bones.filter(({ bone }) => bone !== 'leftFoot') },
    { glb, motion, bones },
  ]);
  assert.equal(status, 1);
  assert.match(lines[0].error, /leftFoot/);
  assert.equal(lines[1].verdict, 'good');
});
