// A human figure in three.js, seen in axes of its own: X to its left, Y up, Z to its front, whatever those of its file are.

import { Matrix4, Vector3 } from 'three';
import { nodeNamed, played, positions } from './motion-stage.mjs';

const SIDES = ['left', 'right'];

/** Least cosine between directions that are taken for the same: 37° apart. */
const ALIKE = 0.8;

/** Length of the figure's leg: the mean of both thighs and shins. */
function legLength(at) {
  const lengths = SIDES.map((side) => {
    const [hip, knee, ankle] = ['UpperLeg', 'LowerLeg', 'Foot'].map((bone) => at(side + bone));
    return hip.distanceTo(knee) + knee.distanceTo(ankle);
  });
  return (lengths[0] + lengths[1]) / 2;
}

const middle = (at, bone) => at(`left${bone}`).clone().add(at(`right${bone}`)).divideScalar(2);

/** The axis that a direction is near to, if there is any. */
function axisNear(direction) {
  const parts = direction.clone().normalize().toArray();
  const longest = parts.findIndex((part) => Math.abs(part) >= ALIKE);
  return longest < 0 ? null : new Vector3().setComponent(longest, Math.sign(parts[longest]));
}

/** The axis that is up in a pose: along the trunk, with the feet below it; `null` of a pose that does not stand. */
function upIn(at) {
  const hips = middle(at, 'UpperLeg');
  const up = axisNear((at('head') ?? at('neck')).clone().sub(hips));
  return up && hips.clone().sub(middle(at, 'Foot')).dot(up) >= legLength(at) / 2 ? up : null;
}

/** The axis that is in front of a pose with a given axis up; `null` if it is turned between axes. */
function frontIn(at, up) {
  const left = new Vector3();
  for (const bone of ['UpperLeg', 'UpperArm']) left.add(at(`left${bone}`)).sub(at(`right${bone}`));
  return axisNear(left.projectOnPlane(up).cross(up));
}

/**
 * The figure of some named bones (`{bone: name}`) on a stage: its rest pose, and its clips.
 * Names that the stage lacks are left out; without legs, arms and a neck or head there is no figure, which is an error.
 */
export function figureOn(stage, names) {
  const objects = new Map();
  for (const [bone, name] of Object.entries(names)) {
    // The skin of MikuMikuDance's legs hangs on bones of their own.
    const object = nodeNamed(stage, `${name}D`) ?? nodeNamed(stage, name);
    if (object) objects.set(bone, object);
  }
  const needed = SIDES.flatMap((side) => ['UpperLeg', 'LowerLeg', 'Foot', 'UpperArm'].map((bone) => side + bone));
  const missing = needed.filter((bone) => !objects.has(bone));
  if (!objects.has('head') && !objects.has('neck')) missing.push('head');
  if (missing.length > 0) throw new Error(`no node for ${missing.join(', ')}`);
  addEnds(objects);
  const [bones, list] = [[...objects.keys()], [...objects.values()]];
  const rest = asPose(bones, positions(stage, list));
  const play = (clip, times_s) => played(stage, clip, list, times_s).map((places) => asPose(bones, places));
  return { bones, rest, leg: legLength(rest), play };
}

/** Adds the ends of bones below which no bone is: their only children. */
function addEnds(objects) {
  const bones = new Set(objects.values());
  for (const [bone, object] of [...objects]) {
    const [end, ...others] = object.children.filter((child) => !child.isMesh);
    let below = 0;
    object.traverse((descendant) => (below += bones.has(descendant) ? 1 : 0));
    if (end && others.length === 0 && below === 1) objects.set(`${bone}End`, end);
  }
}

/** A pose as a function from the name of a bone to its place. */
function asPose(bones, places) {
  const unknown = places.findIndex(({ x, y, z }) => !Number.isFinite(x + y + z));
  if (unknown >= 0) throw new Error(`${bones[unknown]} is nowhere`);
  const all = new Map(bones.map((bone, at) => [bone, places[at]]));
  return (bone) => all.get(bone);
}

/**
 * The axes of a figure: those of its rest pose if it stands there. Else up is that of the first of `poses` in which it stands,
 * and its front that of most files: +Z with Y up, -Y with Z up.
 */
export function axesOf({ rest }, poses) {
  const resting = upIn(rest);
  const up = resting ?? poses.map(upIn).find(Boolean);
  if (!up) throw new Error('the figure stands nowhere');
  const front = (resting && frontIn(rest, up)) ?? (up.z === 0 ? new Vector3(0, 0, 1) : new Vector3(0, -up.z, 0));
  return new Matrix4().makeBasis(new Vector3().crossVectors(up, front), up, front).transpose();
}

/** Poses in a figure's own axes, `scale` times as large. */
export function seen(poses, axes, scale) {
  const matrix = new Matrix4().makeScale(scale, scale, scale).multiply(axes);
  return poses.map((pose) => {
    const moved = new Map();
    return (bone) => {
      if (!moved.has(bone)) moved.set(bone, pose(bone)?.clone().applyMatrix4(matrix));
      return moved.get(bone);
    };
  });
}
