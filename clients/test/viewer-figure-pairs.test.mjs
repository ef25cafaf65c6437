// Pairs of a motion and a figure of other formats in the viewer's page, what it says of those that cannot be put together, and what that
// costs. Needs DOPESHEET_PAGE, the folder that `cargo xtask web` makes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { longBvh } from '../lib/viewer-files.mjs';
import { Bench, settled, skip } from '../lib/viewer-bench.mjs';
import { avatar, oldAvatar } from '../lib/vrm-avatar.mjs';
import { ROOT } from './programs.mjs';

const bench = new Bench();
const VRMA = readFileSync(join(ROOT, 'formats/gltf/src/vrma/fixtures/valid/as-written.vrma'));
const PMX = readFileSync(join(ROOT, 'crates/dopesheet/src/standard/standard.pmx'));
const jump = readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8');
/** The jump with the names of Mixamo. */
const mixamo = Buffer.from(jump.replace(/(ROOT|JOINT) (\w+)/g, '$1 mixamorig:$2'));

/** Motions, figures, and the format that is taken home; what is no sample is made here. */
const PAIRS = [
  [['jump.bvh'], ['hero.vrm', () => avatar(VRMA, 1)], 'vrm'],
  [['walk.vmd'], ['old.vrm', () => oldAvatar(VRMA)], 'vrm'],
  [['dance.vrma', () => VRMA], ['character.glb'], 'glb'],
  [['mixamo.glb', () => bench.converted('mixamo.bvh', mixamo, 'mixamo.glb')], ['standard.pmx', () => PMX], 'vmd'],
  [['amass.npz', () => bench.converted('jump.bvh', undefined, 'amass.npz', '-t npz@amass')], ['hero.vrm', () => avatar(VRMA, 1)], 'vrma'],
];

for (const [motion, figure, format] of PAIRS) {
  test(`${motion[0]} put onto ${figure[0]} is taken home as ${format} to the bytes of the command`, { skip }, async () => {
    const files = [motion, figure].map(([name, make]) => bench.put(name, make?.()));
    await bench.withPage(async (page) => {
      const status = await bench.putOn(page, ...files);
      assert.ok(status.fitted, status.said);
      const { name, bytes } = await bench.take(page, format);
      const { command } = await page.status();
      bench.run(...command);
      bench.same(bytes, name, command.join('; '));
    });
  });
}

test('our puppet takes a motion without a file of its own, to the bytes of --onto standard', { skip }, async () => {
  const motion = bench.put('jump.bvh');
  await bench.withPage(async (page) => {
    await page.drop([motion]);
    await page.click('Put on');
    await page.click('figure');
    await page.click('figure puppet');
    await page.until((status) => settled(status) && status.fitted, 'the puppet with the motion');
    const { name, bytes } = await bench.take(page, 'glb');
    const { command } = await page.status();
    assert.match(command[0], /--onto standard /);
    bench.run(...command);
    bench.same(bytes, name, command.join('; '));
  });
});

test('hands alone are refused with the reason, and the table says what is missing', { skip }, async () => {
  await bench.withPage(async (page) => {
    const { said, bones, fitted } = await bench.putOn(page, bench.put('hands.bin'), bench.put('avatar.vrm'));
    assert.equal(fitted, null);
    assert.match(said, /expected a human figure|hands/);
    assert.equal(bones.hips[0][1], 'missing');
    await bench.shoot('hands', page);
    const file = await page.drop([bench.put('walk.vmd')]);
    assert.equal(file.active, 'walk.vmd', 'the page lives on');
  });
});

test('what is no human has a table of what is missing, and a file that is none has a message', { skip }, async () => {
  await bench.withPage(async (page) => {
    const { said, bones } = await bench.putOn(page, bench.put('door.json'), bench.put('avatar.vrm'));
    assert.match(said, /expected/);
    assert.equal(bones.leftFoot[0][1], 'missing');
    const { failures } = await page.drop([bench.put('bad.vrm', Buffer.from('glTF\x02\0\0\0\xff\xff\xff\x7fJSON'))]);
    assert.equal(failures.length, 1);
    await page.click('close failures');
    await page.until((status) => status.failures.length === 0, 'no message');
  });
});

test('a figure without legs keeps its arms', { skip }, async () => {
  const without = jump.replace(/\tJOINT LeftUpLeg[\s\S]*?(?=\tJOINT Spine)/, '');
  const legless = bench.converted('legless.bvh', Buffer.from(withoutValues(without)), 'legless.glb');
  await bench.withPage(async (page) => {
    const { said, fitted, bones } = await bench.putOn(page, bench.put('jump.bvh'), bench.put('legless.glb', legless));
    assert.equal(bones.leftHand[1][0], 'LeftHand');
    assert.ok(fitted || /no node for|missing|expected/.test(said), said);
  });
});

/** Asserts that memory after many steps is at most a tenth more than after 20; a step is done, and its status returned, by `take`. */
async function assertNoGrowth(what, take) {
  const steps = process.env.MEASURE ? 200 : 60;
  const sizes = [];
  for (let step = 0; step < steps; step++) {
    const { memory, worker_memory } = await take(step);
    sizes.push(memory + worker_memory);
  }
  const [early, late] = [sizes[19], sizes.at(-1)];
  console.log(`memory after 20 ${what} ${(early / 1e6).toFixed(1)} MB, after ${steps} ${(late / 1e6).toFixed(1)} MB`);
  assert.ok(late <= 1.1 * early, `${late} bytes after ${early}`);
}

test('memory stays what it is after many changes and undos', { skip }, async () => {
  await bench.withPage(async (page) => {
    await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    await page.ask('contacts', 'off');
    let before = await page.until((status) => status.busy.length === 0 && status.step === 2, 'the first change');
    await assertNoGrowth('choices and undos', async (step) => {
      await page.tab.keyboard.press(step % 2 ? 'ControlOrMeta+Shift+z' : 'ControlOrMeta+z');
      const { verdict, step: now } = before;
      before = await page.until((status) => settled(status) && status.step !== now && status.verdict !== verdict, 'the other verdict');
      return before;
    });
  });
});

test('memory stays what it is after many operations and undos', { skip }, async () => {
  await bench.withPage(async (page) => {
    await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    await page.click('Change');
    await page.click('operation');
    await page.click('operation mirror');
    await assertNoGrowth('operations and undos', async (step) => {
      if (step % 2) await page.tab.keyboard.press('ControlOrMeta+z');
      else await page.click('apply');
      const count = 1 - (step % 2);
      return page.until((status) => settled(status) && status.changes === count, `${count} operations`);
    });
  });
});

// How long it takes is the machine's doing, too: it is said, and judged by nobody.
test('how long 600 frames take on a figure is said', { skip: skip || (!process.env.MEASURE && 'SKIPPED: MEASURE is not set') }, async () => {
  await bench.withPage(async (page) => {
    await bench.putOn(page, bench.put('long.bvh', longBvh(jump, 600)), bench.put('avatar.vrm'));
    for (const contacts of ['off', 'feet']) {
      const all = [];
      await page.ask('contacts', contacts);
      for (let change = 0; change < 20; change++) {
        const { verdict, took_ms } = await page.status();
        await page.ask('hands', change % 2 ? 'rest' : 'relaxed');
        const now = await page.until((status) => status.busy.length === 0 && status.took_ms !== took_ms, `a change after ${verdict}`);
        all.push(now.took_ms);
      }
      all.sort((a, b) => a - b);
      console.log(`600 frames, contacts ${contacts}: ${all[10].toFixed(0)} ms in the median of 20 changes (${all[0].toFixed(0)} to ${all[19].toFixed(0)})`);
    }
  });
});

/** A BVH whose frames have as many numbers as its channels ask for. */
function withoutValues(text) {
  const channels = [...text.matchAll(/CHANNELS (\d)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const [head, frames] = text.split(/(?<=Frame Time:.*\n)/);
  const rows = frames.trim().split('\n').map((row) => row.trim().split(/\s+/).slice(-channels + 6));
  const hips = frames.trim().split('\n').map((row) => row.trim().split(/\s+/).slice(0, 6));
  return `${head}${rows.map((row, at) => [...hips[at], ...row].join(' ')).join('\n')}\n`;
}
