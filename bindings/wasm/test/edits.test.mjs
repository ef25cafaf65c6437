// Operations: those of the command, on files that are left as they are.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import init, { DopesheetError, File, convert, open, standardModel } from 'dopesheet';
import { sample } from './lib/files.mjs';

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/dopesheet');

before(() => init());

const opened = (name) => open(sample(name), { name });
const seconds = (file) => file.info().clips.map((clip) => clip.duration_s);
const bytes = (file) => Buffer.from(file.toBytes());

/** The error that a call throws. */
function refused(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof DopesheetError, error.stack);
    assert.ok(!/(?<![\w-])--[a-z]/.test(error.message), error.message);
    return error;
  }
  return assert.fail('nothing was thrown');
}

/** Every operation, on a sample that has something for it. */
const CALLS = {
  trim: ['bow.vmd', (file) => file.trim('30f', 3)],
  delete: ['bow.vmd', (file) => file.delete(1, '60f')],
  repeat: ['bow.vmd', (file) => file.repeat(2)],
  concat: ['bow.vmd', (file) => file.concat([file, file], { blend: '10f' })],
  merge: ['bow.vmd', (file) => file.drop({ kind: 'morph' }).merge(file.select({ kind: ['morph'] }))],
  shift: ['bow.vmd', (file) => file.shift(-1)],
  retime: ['jump.bvh', (file) => file.retime({ fps: 60 })],
  reverse: ['bow.vmd', (file) => file.reverse()],
  mirror: ['bow.vmd', (file) => file.mirror({ names: { 首: '頭' } })],
  loop: ['walk.vmd', (file) => file.loop({ over: '10f', travel: true })],
  'keys move': ['bow.vmd', (file) => file.keysMove(['40f', '60f'], '2f', { names: '頭' })],
  'keys insert': ['bow.vmd', (file) => file.keysInsert('40f')],
  'keys delete': ['bow.vmd', (file) => file.keysDelete('40f:60f', { names: ['頭'] })],
  'keys copy': ['bow.vmd', (file) => file.keysCopy([1, 2], 3, { property: 'rotation' })],
  'keys scale': ['bow.vmd', (file) => file.keysScale([0, 1], 0.5, { snap: true })],
  'keys law': ['bow.vmd', (file) => file.keysLaw([0, 1], new Float32Array([0, 0.5, 0.5, 1]))],
  'markers add': ['hands.bin', (file) => file.markersAdd(2, 'half')],
  'markers move': ['hands.bin', (file) => file.markersAdd(2, 'half').markersMove('half', 1)],
  'markers remove': ['hands.bin', (file) => file.markersAdd(2, 'half').markersAdd(3, 'more').markersRemove(2)],
  resample: ['jump.bvh', (file) => file.resample(15)],
  reduce: ['hands.bin', (file) => file.reduce({ tolerance: '1cm' })],
  move: ['walk.vmd', (file) => file.move({ by: ['1m', 0, '-20cm'], turn: 90 })],
  smooth: ['jump.bvh', (file) => file.smooth({ cutoff: 4, names: ['*Arm', '*ForeArm'] })],
  rename: ['bow.vmd', (file) => file.rename({ names: { 頭: 'head' } })],
  select: ['bow.vmd', (file) => file.select({ names: '右*' })],
  drop: ['bow.vmd', (file) => file.drop({ property: ['weight'] })],
  set: ['bow.vmd', (file) => file.set({ modelName: 'ミク' })],
};

test('every operation of the command is a method, makes another file and leaves this one alone', async () => {
  const native = await import(pathToFileURL(join(PACKAGE, 'native.js')).href);
  const types = readFileSync(join(PACKAGE, 'index.d.ts'), 'utf8');
  const operations = JSON.parse(native.operations());
  assert.deepEqual(operations.map(([word]) => word).sort(), Object.keys(CALLS).sort());
  const camel = (words) => words.replace(/[ -](.)/g, (_, letter) => letter.toUpperCase());
  for (const [word, options] of operations) {
    const [name, call] = CALLS[word];
    assert.match(types, new RegExp(`^  ${camel(word)}\\(`, 'm'));
    for (const option of options.filter((option) => option !== 'range')) {
      assert.match(types, new RegExp(`[ (]${camel(option)}\\??: `), `${word} ${option}`);
    }
    const file = await opened(name);
    const after = call(file);
    assert.ok(after instanceof File && typeof file[camel(word)] === 'function');
    assert.ok(!bytes(after).equals(sample(name)), word);
    assert.deepEqual(bytes(file), sample(name), word);
  }
});

test('what undoes itself leaves every byte', async () => {
  const file = await opened('bow.vmd');
  const same = file.shift('10f').retime({ speed: 0.5 }).retime({ speed: 2 }).shift('-10f');
  assert.deepEqual(bytes(same), sample('bow.vmd'));
  assert.deepEqual(same.report().approximated, []);
  assert.deepEqual(bytes(file.mirror().mirror()), sample('bow.vmd'));
});

test('a chain is as long as it says, and every step can be kept', async () => {
  const whole = await opened('bow.vmd');
  const part = whole.trim(1, 3);
  const [slow, fast, both] = [part.retime({ speed: 0.5 }), part.retime({ duration: 1 }), part.join(whole, { blend: 1 })];
  const all = [whole, part, slow, fast, both];
  assert.deepEqual(all.flatMap(seconds), [4.2, 2, 4, 1, 7.2]);
  const [metres] = part.report().approximated.filter(({ max_error }) => max_error?.unit === 'm');
  assert.match(metres.what, /divided where the clip is cut/);
  assert.throws(() => whole.within('0.5mm').trim('30f', '90f').report(), /tolerance-exceeded/);
  whole.free();
  part.free();
  const glb = await open(slow.convert({ to: 'glb' }).data, { name: 'slow.glb' });
  assert.deepEqual(seconds(glb), [4]);
});

test('the parts of a motion make it again, one behind the other', async () => {
  const file = await opened('bow.vmd');
  const parts = file.split(['30f', 3]);
  assert.deepEqual(parts.flatMap(seconds), [1, 2, 1.2]);
  const [first, ...others] = parts;
  assert.deepEqual(seconds(first.concat(others)), seconds(file));
  assert.deepEqual(bytes(first), bytes(file.trim(0, '30f')));
  assert.deepEqual(file.split('30f').flatMap(seconds), [1, 3.2]);
  assert.match(refused(() => file.split()).message, /^split: /);
  assert.match(refused(() => file.split([1.01])).message, /between 30f and 31f; snap: true takes the nearest$/);
  assert.match(refused(() => file.split([NaN])).message, /^split: at: expected times in seconds/);
});

test('a body and a camera that were merged come apart, each as it was', async () => {
  const [bow, camera] = [await opened('bow.vmd'), await opened('camera.vmd')];
  const parts = bow.merge([camera], { split: true });
  assert.deepEqual(parts.map((part) => part.format), ['vmd', 'vmd']);
  assert.deepEqual(parts.map(bytes), [sample('bow.vmd'), sample('camera.vmd')]);
  assert.ok(bow.merge(camera, { split: false }) instanceof File);
  const alone = () => bow.drop({ kind: 'morph' }).merge(bow.select({ kind: 'morph' }), { split: true });
  assert.match(refused(alone).message, /^merge: split: expected the motion of a model and that of a camera, found only/);
  assert.match(refused(() => bow.merge(camera, { split: 'yes' })).message, /^merge: split: expected no options, found split$/);
});

test('one clip of several is changed if it is named', async () => {
  const motions = [await opened('bow.vmd'), await opened('walk.vmd')];
  const file = await open(convert(motions, { to: 'glb', model: standardModel() }).data, { name: 'both.glb' });
  const before = seconds(file);
  assert.equal(before.length, 2);
  const near = (found, wanted) => found.forEach((time, at) => assert.ok(Math.abs(time - wanted[at]) < 1e-5));
  near(seconds(file.retime({ speed: 2, clip: 1 })), before.map((time, at) => (at === 1 ? time / 2 : time)));
  near(seconds(file.retime({ speed: 2 })), before.map((time) => time / 2));
});

test('what makes no sense names the option as JavaScript spells it', async () => {
  const file = await opened('bow.vmd');
  const told = (work) => refused(work).message;
  assert.equal(told(() => file.trim(1, 2, { keepTime: 'yes' })), 'trim: keepTime: expected true or false, found "yes"');
  assert.match(told(() => file.trim(1, 2, { keeptime: true })), /^trim: keeptime: expected one of the options range, keepTime, snap, found keeptime$/);
  assert.match(told(() => file.trim(1.01, 2)), /between 30f and 31f; snap: true takes the nearest$/);
  assert.match(told(() => file.trim(1, 100)), /expected a range within the clip/);
  assert.equal(told(() => file.retime({ speed: NaN })), 'retime: speed: expected a number, found "NaN"');
  assert.match(told(() => file.retime()), /expected one of speed, duration, fps and curve, found none/);
  assert.match(told(() => file.select({ names: '頭' }).mirror()), /say which belong together with `names`/);
  assert.match(told(() => file.concat('walk.vmd')), /other file: expected a File that open\(\) made, found string/);
  assert.match(told(() => file.move()), /^move: by: expected some of by, turn, scale and ground, found none$/);
  assert.match(told(() => file.smooth({ cutoff: 0, names: '頭' })), /expected a number above 0, found 0/);
  assert.equal(refused(() => file.set({ modelName: 3 })).code, 'usage');
  const looped = file.set({ loop: true });
  assert.match(told(() => looped.toBytes()), /do not say if a clip starts again/);
});
