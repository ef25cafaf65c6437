// Motions of MikuMikuDance after `dopesheet edit`, read by mmd-parser: the keys that it read before, and no others than said.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import mmd from 'mmd-parser';
import { NO_COMMAND, ROOT, command, scratch, skipFor } from './programs.mjs';

const skip = skipFor(NO_COMMAND);
const file = scratch();

/** All keys that mmd-parser finds in a file, by what they move. The sort is stable, so equal frames stay in order. */
function keysOf(path) {
  const bytes = readFileSync(path);
  // In the axes of the file.
  const motion = new mmd.Parser().parseVmd(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), true);
  const keys = new Map();
  const all = [
    ...motion.motions.map(({ boneName, frameNum, ...key }) => [`bone ${boneName}`, { frame: frameNum, ...key }]),
    ...motion.morphs.map(({ morphName, frameNum, ...key }) => [`morph ${morphName}`, { frame: frameNum, ...key }]),
  ];
  for (const [name, key] of all) keys.set(name, [...(keys.get(name) ?? []), key]);
  for (const own of keys.values()) own.sort((a, b) => a.frame - b.frame);
  return keys;
}

function edited(sample, operation) {
  const out = file('edited.vmd', '');
  const source = join(ROOT, 'samples', sample);
  const { status, stderr } = spawnSync(command, ['edit', '--force', '--quiet', source, '-o', out, '-e', operation]);
  assert.equal(status, 0, String(stderr));
  const [before, after] = [keysOf(source), keysOf(out)];
  assert.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
  return [...before].map(([name, keys]) => [name, keys, after.get(name)]);
}

const moved = (keys, frame) => keys.map((key) => ({ ...key, frame: frame(key.frame) }));
/** True for a key that leaves its bone or morph as the model has it. */
const isAtRest = ({ position = [], rotation = [0, 0, 0, 1], weight = 0 }) =>
  [...position, ...rotation.slice(0, 3), weight].every((value) => value === 0);
const COUNTS = { 'bow.vmd': 85, 'walk.vmd': 100 };

for (const sample of Object.keys(COUNTS)) {
  test(`mmd-parser finds the keys of ${sample} at half the speed`, { skip }, () => {
    const tracks = edited(sample, 'retime --speed 0.5');
    assert.ok(tracks.flatMap(([, before]) => before).length >= COUNTS[sample]);
    for (const [name, before, after] of tracks) assert.deepEqual(after, moved(before, (at) => at * 2), name);
  });

  test(`mmd-parser finds the keys of ${sample} ten frames later, and one more at the start of what does not start at rest`, { skip }, () => {
    let extra = 0;
    for (const [name, before, after] of edited(sample, 'shift 10f')) {
      assert.deepEqual(after.slice(-before.length), moved(before, (at) => at + 10), name);
      const { interpolation, ...first } = before[0];
      const starts = isAtRest(first) ? [] : [first];
      const added = after.slice(0, -before.length).map(({ interpolation, ...key }) => key);
      assert.deepEqual(added, starts, name);
      extra += added.length;
    }
    assert.ok(extra > 0);
  });

  test(`mmd-parser finds all keys of ${sample} within a trim, and one more at each end at most`, { skip }, () => {
    for (const [name, before, after] of edited(sample, 'trim 30f:90f')) {
      const place = ({ interpolation, ...key }) => key;
      const inside = moved(before.filter(({ frame }) => 30 <= frame && frame <= 90), (at) => at - 30).map(place);
      const own = after.map(place);
      for (const key of inside) assert.ok(own.some((found) => JSON.stringify(found) === JSON.stringify(key)), name);
      assert.ok(after.length <= inside.length + 2, `${name}: ${after.length} of ${inside.length}`);
      assert.ok(after.every(({ frame }) => frame <= 60), name);
    }
  });
}
