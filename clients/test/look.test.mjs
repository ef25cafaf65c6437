// What our puppet looks like when it bows, in three.js in a Chromium, compared with pictures that somebody has looked at.
//
// `PICTURES=write npm test` draws them anew; look at them before you keep them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findChromium, open } from '../lib/look.mjs';
import { NO_COMMAND, ROOT, command, scratch, skipFor } from './programs.mjs';

const SIZE = 320;

/** Moments of samples/bow.vmd: it stands and breathes; it is down. */
const MOMENTS_S = [0.6, 2];

/**
 * What other drivers and roundings may change. A hand that is 5 cm off has a share of 9e-4 at least, other limbs of 16e-4,
 * 1 cm of 5e-4 at most; without its picture the puppet has a mean of 8.
 */
const LIMITS = { share: 8e-4, mean: 1 };

const chromium = findChromium();
const missing =
  (!chromium && 'a Chromium (CHROMIUM may name it)') || NO_COMMAND;
const skip = skipFor(missing);

const file = scratch();
let figure;

before(async () => {
  if (skip) return;
  assert.ok(!missing, `expected ${missing}, found none`);
  const glb = file('bow.glb', '');
  const bow = join(ROOT, 'samples', 'bow.vmd');
  const { status, stderr } = spawnSync(command, ['convert', '--quiet', '--force', bow, '-m', 'standard', '-o', glb]);
  assert.equal(status, 0, String(stderr));
  figure = await open(chromium, glb, SIZE);
});

after(() => figure?.close());

const stored = (moment) => new URL(`pictures/bow-${moment}.png`, import.meta.url);
const isAlike = ({ share, mean }) => share <= LIMITS.share && mean <= LIMITS.mean;

for (const moment of MOMENTS_S) {
  test(`the puppet looks at ${moment} s of its bow as it did`, { skip }, async () => {
    const is = await figure.picture(moment);
    if (process.env.PICTURES === 'write') writeFileSync(stored(moment), is);
    const apart = await figure.compare(is, readFileSync(stored(moment)));
    if (isAlike(apart)) return;
    const kept = join(tmpdir(), `bow-${moment}.png`);
    writeFileSync(kept, is);
    assert.fail(`${JSON.stringify(apart)}; look at ${kept}`);
  });
}

test('a picture of another moment, of no surface, of a limb 5 cm off is told apart', { skip }, async () => {
  const [standing, down] = MOMENTS_S.map((moment) => readFileSync(stored(moment)));
  const faults = [
    [down, await figure.picture(MOMENTS_S[0])],
    [standing, await figure.picture(MOMENTS_S[0] + 0.5)],
    [standing, await figure.picture(MOMENTS_S[0], { plain: true })],
  ];
  for (const joint of ['頭', '左ひじ', '右腕', '右手首', '左足D', '右ひざD']) {
    for (const by of [
      [0.05, 0, 0],
      [0, 0.05, 0],
    ]) {
      faults.push([standing, await figure.picture(MOMENTS_S[0], { moved: { [joint]: by } })]);
    }
  }
  for (const [index, [should, is]] of faults.entries()) {
    const apart = await figure.compare(should, is);
    assert.ok(!isAlike(apart), `fault ${index}: ${JSON.stringify(apart)}`);
  }
  assert.ok(isAlike(await figure.compare(standing, await figure.picture(MOMENTS_S[0]))));
});
