// How the viewer's page looks in windows, themes and with figures that are easily drawn wrong. Each has to work; SHOTS=folder keeps a
// picture of each to be looked at, and docs/pictures/ has some of them. Needs DOPESHEET_PAGE, the folder that `cargo xtask web` makes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bench, settled, skip } from '../lib/viewer-bench.mjs';
import { wrapped } from '../lib/viewer-files.mjs';
import { ROOT } from './programs.mjs';

const bench = new Bench();
const character = readFileSync(join(ROOT, 'samples/character.glb'));
const STANDARD = join(ROOT, 'crates/dopesheet/src/standard');
const PMX = readFileSync(join(STANDARD, 'standard.pmx'));
const PNG = readFileSync(join(STANDARD, 'standard.png'));
const AVATAR = ['avatar.vrm'];

/** A word for each look, what the page is opened with, the motion, the figure, and whether the table of bones is open. */
const LOOKS = [
  ['dark', {}, 'walk.vmd', AVATAR, true],
  ['light', { dark: false }, 'jump.bvh', AVATAR, true],
  ['phone', { size: [390, 844] }, 'jump.bvh', AVATAR, false],
  ['phone-light', { size: [390, 844], dark: false }, 'walk.vmd', ['character.glb'], false],
  ['4k', { size: [3840, 2160] }, 'jump.bvh', AVATAR, true],
  ['japanese', { dark: false }, 'walk.vmd', ['初音の人形.pmx', PMX], true],
  ['centimetres', {}, 'jump.bvh', ['centimetres.glb', wrapped(character, { scale: [100, 100, 100] })], false],
  ['lying', {}, 'jump.bvh', ['lying.glb', wrapped(character, { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] })], false],
];

for (const [word, options, motion, figure, isOpen] of LOOKS) {
  test(`a motion on a figure looks as it should: ${word}`, { skip }, async () => {
    const files = [bench.put(motion), bench.put(...figure), ...(figure[1] === PMX ? [bench.put('standard.png', PNG)] : [])];
    await bench.withPage(async (page) => {
      const status = await bench.putOn(page, ...files);
      assert.ok(status.fitted, status.said);
      if (isOpen) await page.click('bones');
      await page.click('worst moment');
      await page.until(settled, 'nothing to do');
      await page.settle();
      await bench.shoot(`look-${word}`, page);
    }, options);
  });
}
