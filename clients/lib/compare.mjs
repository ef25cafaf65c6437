// Compares a document of `dopesheet sample --axes gltf --json` with what another player makes of the same file.
//
// A stage is a file that a player has loaded: `{player, shortcut_rad, json, nodes, standing, play, rotationKeys}`. `player` is its
// name, `shortcut_rad` the largest angle by which its way between two rotations differs from slerp, `json` the document,
// `nodes` what is in a scene, `standing()` its values now, `play(clip, times_s)` its values over time and
// `rotationKeys(sampler)` the quaternions of a sampler's output.

/** What players play. Every other channel of a sample (yfov, color, …) is counted and named, not compared. */
const CHANNELS = ['translation', 'rotation', 'scale', 'weights'];

/** Of translation, scale and weights, times max(1, |v|): rounding to f32 takes 6e-8 of it. */
const RELATIVE = 1e-5;

/** Of rotations, in radians, besides the player's shortcut: rounding the sample to f32 takes 4e-7 of it. */
const ROTATION_RAD = 9.18e-6;

/** Radians by which LINEAR keys δ off unit length turn the result, per δ (second point in three-stage.mjs). */
const ROTATION_RAD_PER_LENGTH = 2.1;

/**
 * Plays the clip at the sample's own times and compares each of the sample's channels, by glTF node index.
 * A channel of a node that the sample leaves out must stand at rest in the player.
 *
 * Resolves to `{clip_index, values, disagreements, worst, not_compared}`: `values` counts node × channel × time as the
 * sample has them, `worst` is the one furthest beyond its tolerance, or nearest to it.
 */
export async function compare(stage, clip, sample) {
  if ((sample.space ?? 'local') !== 'local') throw new Error(`sample: expected local space, found ${sample.space}`);
  const rest = new Map(stage.standing().map((node) => [node.index, node]));
  const played = stage.play(clip, sample.times_s);
  const animation = stage.json.animations[played.clip_index];
  const { claims, not_compared } = readSample(stage, animation, sample);
  const tally = { values: 0, disagreements: 0, worst: null };
  for (const node of played.nodes) {
    const rotation_rad = await rotationTolerance(stage, animation, node.index);
    for (const channel of CHANNELS.filter((channel) => channel in node)) {
      const claim = claims.get(key(node.index, channel));
      if (claim) tally.values += sample.times_s.length;
      sample.times_s.forEach((time_s, i) => {
        const pair = { ours: claim ? claim[i] : rest.get(node.index)[channel], theirs: node[channel][i] };
        note(tally, {
          node: node.index,
          name: node.name,
          channel,
          time_s,
          ...measure(channel, pair, rotation_rad),
          ...pair,
        });
      });
    }
  }
  return { clip_index: played.clip_index, ...tally, not_compared };
}

const key = (index, channel) => `${index}/${channel}`;

/** Sorts the channels of a sample into those that players play and those that they do not. */
function readSample({ player, json, nodes }, animation, sample) {
  const pointers = new Set(animation.channels.map(({ target }) => target.extensions?.KHR_animation_pointer?.pointer));
  const inScene = new Set(nodes.map(({ index }) => index));
  const claims = new Map();
  const not_compared = [];
  for (const { target, index, channels } of sample.tracks) {
    for (const [channel, values] of Object.entries(channels)) {
      const place = { target, index, channel };
      if (!CHANNELS.includes(channel)) not_compared.push({ ...place, why: `${player} has no such channel` });
      else if (pointers.has(`/nodes/${index}/${channel}`)) not_compared.push({ ...place, why: 'animated by pointer' });
      else if (json.nodes?.[index] === undefined) throw new Error(`sample: ${target}: the file has no node ${index}`);
      else if (!inScene.has(index)) not_compared.push({ ...place, why: 'the node is in no scene' });
      else if (claims.has(key(index, channel))) throw new Error(`sample: node ${index}: ${channel} occurs twice`);
      else claims.set(key(index, channel), values);
    }
  }
  return { claims, not_compared };
}

/** The angle in radians that a rotation of the node may differ by; it grows with LINEAR keys off unit length. */
async function rotationTolerance({ shortcut_rad, rotationKeys }, animation, node) {
  const exact = ROTATION_RAD + shortcut_rad;
  const channel = animation.channels.find(({ target }) => target.node === node && target.path === 'rotation');
  const sampler = animation.samplers[channel?.sampler];
  if (!sampler || (sampler.interpolation ?? 'LINEAR') !== 'LINEAR') return exact;
  const off = (await rotationKeys(sampler)).map((key) => Math.abs(Math.hypot(...key) - 1));
  return exact + ROTATION_RAD_PER_LENGTH * Math.max(0, ...off);
}

/** How far apart two values are and how far they may be; values that cannot be compared are infinitely far apart. */
function measure(channel, { ours, theirs }, rotation_rad) {
  const comparable = Array.isArray(ours) && ours.length === theirs.length && [...ours, ...theirs].every(Number.isFinite);
  if (channel === 'rotation') {
    return { difference: comparable ? angle(ours, theirs) : Infinity, tolerance: rotation_rad };
  }
  const differences = comparable ? ours.map((value, i) => Math.abs(value - theirs[i])) : [Infinity];
  return { difference: Math.max(0, ...differences), tolerance: RELATIVE * Math.max(1, Math.hypot(...theirs)) };
}

/** The angle in radians between two rotations of any non-zero length; keeps its precision near zero, unlike acos. */
export function angle(a, b) {
  const [p, q] = [a, b].map((quaternion) => quaternion.map((value) => value / Math.hypot(...quaternion)));
  const apart = Math.hypot(...p.map((value, i) => value - q[i]));
  const opposite = Math.hypot(...p.map((value, i) => value + q[i]));
  return 4 * Math.atan2(Math.min(apart, opposite), Math.max(apart, opposite));
}

function note(tally, found) {
  const excess = ({ difference, tolerance }) => difference / tolerance;
  if (!(excess(found) <= 1)) tally.disagreements += 1;
  if (tally.worst === null || !(excess(found) <= excess(tally.worst))) tally.worst = found;
}
