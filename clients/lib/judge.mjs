// Judges a human motion that another figure took, in three.js' poses of both at the frames of the source.

import { Vector3 } from 'three';
import { FEET, contactsOf, flights, heights, standingHeight } from './contacts.mjs';
import { axesOf, figureOn, seen } from './figure.mjs';
import { loadMotion } from './motion-stage.mjs';

/** Largest value of each measure in a good pair. */
export const LIMITS = {
  // Lines between joints can point alike whatever the lengths of limbs are; 5° of an arm are 4 cm at the hand.
  arm_deg: 5,
  // The same of a leg whose foot is in the air.
  free_leg_deg: 5,
  // A leg of other proportions has to bend for a foot that stays at its place; beyond 15° it is another pose.
  held_leg_deg: 15,
  // Necks stand at other angles by build, and trunks bend in other places; beyond that a head or a back leans.
  trunk_deg: 18,
  // Toes are lower or nearer by build, so the line to them is steeper; beyond that a foot points elsewhere.
  foot_deg: 25,
  // A fifth of a foot's width, which is seen on a floor with a pattern only.
  slide_mm: 20,
  // The thickness of a sole, in which a joint may sink before skin does.
  sunk_mm: 30,
  // 10° more between two frames at 30 per second; what is faster looks like a jerk.
  joint_deg_s: 300,
};

const SIDES = ['left', 'right'];
const DEGREES = 180 / Math.PI;

/** Largest height of a foot's lowest joint over its sole, in lengths of the leg: an ankle's. */
const SOLE = 0.2;

/**
 * Judges one pair: `glb` is the result, whose last clips are those of the source `motion`; `bones` is a list of `{bone, from, to}`,
 * as `dopesheet info --json --onto` has it. Resolves to `{verdict, reasons, measures}`.
 */
export async function judge({ glb, motion, bones }) {
  const [source, target] = await Promise.all([loadMotion(motion), loadMotion(glb)]);
  const names = (key) => Object.fromEntries(bones.filter((row) => row[key]).map((row) => [row.bone, row[key]]));
  const [from, to] = [figureOn(source, names('from')), figureOn(target, names('to'))];
  const ratio = to.leg / from.leg;
  const extremes = new Extremes();
  const [theirClips, ourClips] = [source, target].map(({ clips }) => clips.filter(({ times_s }) => times_s.length > 0));
  const first = ourClips.length - theirClips.length;
  if (first < 0 || theirClips.length === 0) throw new Error(`${theirClips.length} clips became ${ourClips.length}`);
  theirClips.forEach(({ clip, times_s }, n) => {
    const poses = [from.play(clip, times_s), to.play(ourClips[first + n].clip, times_s)];
    const [theirRest, ...theirs] = seen([from.rest, ...poses[0]], axesOf(from, poses[0]), ratio);
    const [ourRest, ...ours] = seen([to.rest, ...poses[1]], axesOf(to, []), 1);
    extremes.clip = n;
    measure({ times_s, leg: to.leg, bones: [from.bones, to.bones], rests: [theirRest, ourRest], theirs, ours }, extremes);
  });
  return extremes.verdict();
}

/** Largest values of measures, with the bone, the time and the clip of each. */
class Extremes {
  measures = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, null]));
  clip = 0;

  add(name, value, bone, time_s, more) {
    const { measures, clip } = this;
    if (value > (measures[name]?.value ?? -Infinity)) measures[name] = { value, bone, time_s, clip, ...more };
  }

  verdict() {
    const beyond = Object.entries(this.measures).filter(([name, extreme]) => extreme?.value > LIMITS[name]);
    const reason = ([name, { value, bone, time_s }]) => `${name} ${value.toFixed(1)} (${bone} at ${time_s.toFixed(3)} s)`;
    const reasons = beyond.map(reason);
    return { verdict: reasons.length === 0 ? 'good' : 'bad', reasons, measures: this.measures };
  }
}

function measure(both, extremes) {
  const { times_s, leg, theirs } = both;
  const contacts = SIDES.flatMap((side) => contactsOf(theirs, times_s, leg, side));
  measureLines(both, extremes);
  measureSlides(both, contacts, extremes);
  measureDepth(both, contacts, extremes);
  measureTurning(both, extremes);
}

/** Every line between joints that is compared: its measure, its name, and its ends in a pose. */
function lines() {
  const joint = (bone) => (pose) => pose(bone);
  const limbs = SIDES.flatMap((side) => [
    ['arm_deg', side, 'UpperArm', 'LowerArm'],
    ['arm_deg', side, 'LowerArm', 'Hand'],
    ['leg', side, 'UpperLeg', 'LowerLeg'],
    ['leg', side, 'LowerLeg', 'Foot'],
    ['foot_deg', side, 'Foot', 'Toes'],
  ]);
  return [
    ...limbs.map(([measure, side, from, to]) => {
      return { measure, side, name: side + from, from: joint(side + from), to: joint(side + to) };
    }),
    { measure: 'trunk_deg', name: 'hips-neck', from: joint('hips'), to: joint('neck') },
    { measure: 'trunk_deg', name: 'hips-head', from: joint('hips'), to: joint('head') },
    { measure: 'trunk_deg', name: 'neck', from: joint('neck'), to: joint('head') },
  ];
}

/** Angles of lines between joints; `rest_deg` is that of the two rest poses, which is due to how the figures are built. */
function measureLines({ times_s, leg, rests, theirs, ours }, extremes) {
  const inTheAir = Object.fromEntries(SIDES.map((side) => [side, flights(theirs, times_s, leg, side)]));
  for (const { measure, side, name, from, to } of lines()) {
    const between = (poses) => {
      const [a, b] = poses.map((pose) => direction(from(pose), to(pose)));
      return a && b ? a.angleTo(b) * DEGREES : null;
    };
    const rest_deg = between(rests);
    if (rest_deg === null) continue;
    times_s.forEach((time, at) => {
      const kind = measure === 'leg' ? (inTheAir[side][at] ? 'free_leg_deg' : 'held_leg_deg') : measure;
      extremes.add(kind, between([theirs[at], ours[at]]), name, time, { rest_deg });
    });
  }
}

function direction(from, to) {
  if (!from || !to) return null;
  const line = to.clone().sub(from);
  return line.length() > 0 ? line.normalize() : null;
}

/** Slides of feet beyond the source's: of joints that stand together of the one that slides less, since a foot may turn about it. */
function measureSlides({ times_s, theirs, ours }, contacts, extremes) {
  for (const { bones, start, end } of contacts) {
    const slides = bones.filter((bone) => ours[0](bone)).map((bone) => {
      const path = (poses) => poses.slice(start, end + 1).map((pose) => pose(bone));
      return { bone, slide: extent(path(ours)) - extent(path(theirs)) };
    });
    const [least] = slides.sort((a, b) => a.slide - b.slide);
    if (least) extremes.add('slide_mm', least.slide * 1000, least.bone, times_s[start]);
  }
}

/** Largest distance over the ground between two of some points. */
function extent(points) {
  let largest = 0;
  for (const a of points) {
    for (const b of points) largest = Math.max(largest, Math.hypot(a.x - b.x, a.z - b.z));
  }
  return largest;
}

/** Depth of the lowest joint or end of the result below its ground, beyond the source's. */
function measureDepth({ times_s, leg, bones, rests, theirs, ours }, contacts, extremes) {
  const [[source], [result]] = [heights(theirs, bones[0]), heights(ours, bones[1])];
  const ground = contacts.length > 0 ? standingHeight(theirs, FEET) : restingGround(rests[0], leg);
  const depth = source.height - ground - (result.height - restingGround(rests[1], leg));
  extremes.add('sunk_mm', depth * 1000, result.bone, times_s[result.at]);
}

/** Height of the lowest joint of a foot at rest, if the sole is about at the file's zero; else zero, where the ground is. */
function restingGround(rest, leg) {
  const [{ height }] = heights([rest], FEET);
  return Math.abs(height) <= SOLE * leg ? height : 0;
}

/** Speeds at which knees and elbows bend beyond the source's: in angle or in direction, as a knee that flips over does. */
function measureTurning({ times_s, theirs, ours }, extremes) {
  const joints = SIDES.flatMap((side) => [
    [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`],
    [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`],
  ]);
  for (const joint of joints) {
    const [a, b] = [theirs, ours].map((poses) => poses.map((pose) => bend(...joint.map((bone) => pose(bone)))));
    for (let at = 1; at < times_s.length; at += 1) {
      if (!a[at] || !b[at]) break;
      const [source, result] = [a, b].map((bends) => bends[at].distanceTo(bends[at - 1]) * DEGREES);
      extremes.add('joint_deg_s', (result - source) / (times_s[at] - times_s[at - 1]), joint[1], times_s[at]);
    }
  }
}

/** Axis of a joint's bend, as long as its angle in radians. */
function bend(a, b, c) {
  const [upper, lower] = [direction(a, b), direction(b, c)];
  if (!upper || !lower) return null;
  return new Vector3().crossVectors(upper, lower).normalize().multiplyScalar(upper.angleTo(lower));
}
