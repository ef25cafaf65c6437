// Where the feet of a figure are on the ground, by height and speed of their joints.
//
// Poses are functions from the name of a bone to its place, with Y up. A joint stands where it is lowest, so neither the ground nor
// the thickness of a sole has to be known.

const SIDES = ['left', 'right'];

/** Joints of feet, and the ends of those that have some. */
export const FEET = SIDES.flatMap((side) => ['Foot', 'FootEnd', 'Toes', 'ToesEnd'].map((joint) => side + joint));

/** Largest height of a joint on the ground over where it is lowest, in lengths of the leg: 3 cm of an adult. */
const LOW = 0.04;
/** Largest speed there, in lengths of the leg per second: steps are eight times as fast. */
const SLOW = 0.45;
/** Time over which a speed is taken, and longest time over which it says something, in seconds. */
const WINDOW_S = 0.05;
const LONGEST_S = 0.25;
/** Shortest contact, in seconds. */
const SHORTEST_S = 0.1;
/** Share of samples that may be lower than the height at which a joint stands: glitches. */
const GLITCHES = 0.02;
/** Time around a low foot in which its leg may be on the way to or from a held place, in seconds. */
const FADE_S = 0.2;

/** Heights of bones in poses, lowest first. */
export function heights(poses, bones) {
  const all = poses.flatMap((pose, at) => bones.map((bone) => ({ height: pose(bone)?.y ?? Infinity, bone, at })));
  return all.filter(({ height }) => height < Infinity).sort((a, b) => a.height - b.height);
}

/** Height at which the lower one of some bones stands. */
export function standingHeight(poses, bones) {
  const all = heights(poses, bones);
  return all[Math.floor(all.length * GLITCHES)].height;
}

/** Heights of a joint over where it or its partner stands. */
function clearances(poses, bone) {
  const lowest = standingHeight(poses, SIDES.map((side) => bone.replace(/^left|^right/, side)));
  return poses.map((pose) => pose(bone).y - lowest);
}

/** True at each time about which a foot is clearly off the ground. */
export function flights(poses, times_s, leg, side) {
  const joints = FEET.filter((bone) => bone.startsWith(side) && poses[0](bone));
  const all = joints.map((bone) => clearances(poses, bone));
  const low = times_s.filter((_, at) => all.some((clearance) => clearance[at] < 2 * LOW * leg));
  return times_s.map((time) => !low.some((lowTime) => Math.abs(lowTime - time) <= FADE_S));
}

/** The contacts of a foot: `{bones, start, end}`, by positions in the times, with the joints that stand as long as each lasts. */
export function contactsOf(poses, times_s, leg, side) {
  const joints = [`${side}Foot`, `${side}Toes`].filter((bone) => poses[0](bone));
  const stands = joints.map((bone) => {
    const path = poses.map((pose) => pose(bone));
    const isLow = clearances(poses, bone).map((clearance) => clearance < LOW * leg);
    return longRuns(isLow.map((low, at) => low && speed(path, times_s, at) < SLOW * leg), times_s);
  });
  const isIn = (at) => ([start, end]) => start <= at && at <= end;
  const standing = times_s.map((_, at) => joints.filter((_, joint) => stands[joint].some(isIn(at))));
  return runs(standing.map((bones) => bones.join()))
    .filter(([start]) => standing[start].length > 0)
    .map(([start, end]) => ({ bones: standing[start], start, end }));
}

/** The runs of true values that last long enough; those at the start and the end of a clip may have lasted longer. */
function longRuns(values, times_s) {
  const isCut = ([start, end]) => start === 0 || end === values.length - 1;
  return runs(values).filter((run) => values[run[0]] && (isCut(run) || times_s[run[1]] - times_s[run[0]] >= SHORTEST_S));
}

/** The first and last positions of each run of equal values. */
function runs(values) {
  const all = [];
  values.forEach((value, at) => {
    if (at > 0 && value === values[at - 1]) all.at(-1)[1] = at;
    else all.push([at, at]);
  });
  return all;
}

/** Speed of a point around a time; of frames too far apart, none that is slow. */
function speed(path, times_s, at) {
  let [start, end] = [at, at];
  while (start > 0 && times_s[at] - times_s[start] < WINDOW_S / 2) start -= 1;
  while (end < path.length - 1 && times_s[end] - times_s[at] < WINDOW_S / 2) end += 1;
  const span = times_s[end] - times_s[start];
  if (span > LONGEST_S) return Infinity;
  return span > 0 ? path[start].distanceTo(path[end]) / span : 0;
}
