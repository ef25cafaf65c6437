// The library in a Worker: the same answers and errors as in the page, which goes on meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as BABYLON from '@babylonjs/core';
import * as pc from 'playcanvas';
import * as THREE from 'three';
import * as library from 'dopesheet';
import init, { DopesheetError, animationsOf, open, standardModel } from 'dopesheet';
import * as own from 'dopesheet/worker';
import { inWorker } from 'dopesheet/worker';
import { HERE, launched, noBrowser, opened, served } from './lib/browser.mjs';
import { sample } from './lib/files.mjs';

let worker;
let browser;
let server;

before(async () => {
  await init();
  worker = inWorker();
  if (noBrowser) return;
  browser = await launched();
  const files = { 'index.html': '<!doctype html><title>Worker</title>', 'bow.vmd': sample('bow.vmd') };
  server = await served([HERE], { files });
});

after(async () => {
  worker.terminate();
  await browser?.close();
  server?.close();
});

const caught = (promise) => promise.then(assert.fail, (error) => error);

/** An error by all that it says. */
const told = (error) => ({ ...error, name: error.name, message: error.message, isOurs: error instanceof DopesheetError });

test('a Worker has all functions of the library, and its files all methods', async () => {
  const besides = ['default', 'initSync', 'DopesheetError', 'File'];
  const functions = Object.keys(library).filter((name) => !besides.includes(name));
  assert.deepEqual(Object.keys(worker).sort(), [...functions, 'terminate'].sort());
  const methods = (of) => Object.getOwnPropertyNames(of.prototype).sort();
  const known = ['name', 'format', 'model'];
  assert.deepEqual(methods(own.WorkerFile), methods(library.File).filter((name) => !known.includes(name)));
});

test('a Worker answers as the library does', async () => {
  const [bow, jump] = [sample('bow.vmd'), sample('jump.bvh')];
  const here = await open(bow, { name: 'bow.vmd', model: standardModel() });
  const there = await worker.open(bow, { name: 'bow.vmd', model: await worker.standardModel() });
  assert.deepEqual([there.name, there.format, there.model.name], ['bow.vmd', 'vmd', 'standard.pmx']);
  for (const ask of [
    (file) => file.info(),
    (file) => file.check(),
    (file) => file.toBytes(),
    (file) => file.sample({ times: [0.5, 1], axes: 'gltf', space: 'model' }),
    (file) => file.sample({ times: new Float32Array([0.5]) }),
    (file) => file.convert({ to: 'gltf', fileName: 'bow.gltf', tolerance: '1cm' }),
  ]) {
    assert.deepEqual(await ask(there), ask(here));
  }
  assert.deepEqual(await worker.formats(), library.formats());
  assert.deepEqual(await worker.wants(bow, { name: 'bow.vmd' }), []);
  const [onto, into] = [await open(sample('character.glb'), { name: 'c.glb' }), await worker.open(sample('character.glb'), { name: 'c.glb' })];
  const put = library.convert([await open(jump, { name: 'jump.bvh' })], { to: 'glb', onto });
  assert.deepEqual(await worker.convert([await worker.open(jump, { name: 'jump.bvh' })], { to: 'glb', onto: into }), put);
});

test('operations in a Worker make files there', async () => {
  const bow = sample('bow.vmd');
  const here = await open(bow, { name: 'bow.vmd' });
  const there = await worker.open(bow, { name: 'bow.vmd', model: await worker.standardModel() });
  const part = await (await there.trim(1, '90f', { snap: true })).mirror();
  assert.ok(part instanceof own.WorkerFile && part.model === there.model);
  const expected = here.trim(1, '90f', { snap: true }).mirror();
  assert.deepEqual(await part.toBytes(), expected.toBytes());
  assert.deepEqual(await part.report(), expected.report());
  const [first, second] = await there.split(1.5, { snap: true });
  const halves = here.split(1.5, { snap: true });
  assert.deepEqual(await (await first.concat(second)).toBytes(), halves[0].concat(halves[1]).toBytes());
  assert.deepEqual(await first.diff(second), halves[0].diff(halves[1], { model: standardModel() }));
  assert.deepEqual(await worker.diff(first, second), await first.diff(second));
});

test('clips for engines are made of what a Worker answers', async () => {
  const [here, there] = [await open(sample('bow.vmd'), { name: 'bow.vmd' }), await worker.open(sample('bow.vmd'), { name: 'bow.vmd' })];
  assert.deepEqual(await worker.animationsOf(there), animationsOf(here));
  const three = (clip) => ({ name: clip.name, duration: clip.duration, tracks: clip.tracks.map(({ name, times, values }) => [name, times, values]) });
  const clip = await worker.toThreeAnimationClip(there, THREE, { root: new THREE.Group() });
  assert.ok(clip instanceof THREE.AnimationClip && clip.tracks.length > 10);
  assert.deepEqual(three(clip), three(library.toThreeAnimationClip(here, THREE)));
  const scene = new BABYLON.Scene(new BABYLON.NullEngine());
  const targets = { scene, target: (name) => ({ name }) };
  const group = await worker.toBabylonAnimationGroup(there, BABYLON, targets);
  const keys = (group) => group.targetedAnimations.map(({ animation }) => [animation.name, animation.getKeys().length]);
  const expected = library.toBabylonAnimationGroup(here, BABYLON, targets);
  assert.ok(keys(group).length > 10);
  assert.deepEqual([group.name, keys(group)], [expected.name, keys(expected)]);
  const track = await worker.toPlayCanvasAnimTrack(there, pc, { root: 'figure' });
  const curves = (track) => track.curves.map(({ paths }) => paths[0].entityPath.join('/'));
  const played = library.toPlayCanvasAnimTrack(here, pc, { root: 'figure' });
  assert.ok(curves(track).length > 10 && curves(track).every((path) => path.startsWith('figure/')));
  assert.deepEqual([track.name, curves(track)], [played.name, curves(played)]);
  const model = await worker.standardModel();
  assert.match((await caught(worker.toThreeAnimationClip(model, THREE))).message, /standard.pmx: expected an animation, found none/);
});

test('an error of a Worker is that of the library, with all its members', async () => {
  const cut = sample('bow.vmd').subarray(0, 1000);
  const [here, there] = [await caught(open(cut, { name: 'cut.vmd' })), await caught(worker.open(cut, { name: 'cut.vmd' }))];
  assert.ok(there instanceof DopesheetError && there instanceof own.DopesheetError);
  assert.deepEqual([there.code, there.offset, there.path], ['mmd-count', 0x32, 'bone keys count']);
  assert.deepEqual(told(there), told(here));
  const text = new TextEncoder().encode('{"animation":{"version":4,"name":"x","duration":1,\n"nodes":[{"name":"a","keys":{}}]}}');
  const wrong = await caught(worker.open(text, { name: 'x.json' }));
  assert.deepEqual([wrong.line, wrong.pointer], [2, '/animation/nodes/0/keys']);
  const file = await worker.open(sample('walk.vmd'), { name: 'walk.vmd' });
  const inPage = await open(sample('walk.vmd'), { name: 'walk.vmd' });
  for (const ask of [(file) => file.convert({}), (file) => file.sample({ fsp: 30 }), (file) => file.trim(1.01, 2), (file) => file.convert({ to: 'glb', clip: 'nobody' })]) {
    const expected = await caught(new Promise((resolve) => resolve(ask(inPage))));
    assert.deepEqual(told(await caught(ask(file))), told(expected));
  }
});

test('what a Worker cannot take is refused with words', async () => {
  const file = await worker.open(sample('walk.vmd'), { name: 'walk.vmd' });
  const other = inWorker();
  const [theirs, inPage] = [await other.standardModel(), standardModel()];
  const loop = {};
  loop.again = loop;
  for (const [ask, words] of [
    [() => file.convert({ to: 'glb', model: theirs }), /expected a file of this Worker, found one of another Worker/],
    [() => file.convert({ to: 'glb', model: inPage }), /expected a file of this Worker, found one of this page/],
    [() => file.sample({ times: () => [1] }), /sample: expected arguments that can be sent to a Worker, found others/],
    [() => file.sample(loop), /sample: expected arguments that can be sent to a Worker, found others/],
    [() => worker.convert(7, { to: 'glb' }), /expected a File that open\(\) made, found number/],
    [() => worker.open('walk.vmd'), /expected an ArrayBuffer, a typed array, a Blob or a Response, found a string/],
  ]) {
    const error = await caught(ask());
    assert.ok(error instanceof DopesheetError && error.code === 'usage' && words.test(error.message), String(error));
  }
  other.terminate();
});

test('a file is freed after what was asked of it before, and only once', async () => {
  const file = await worker.open(sample('walk.vmd'), { name: 'walk.vmd' });
  const asked = file.convert({ to: 'glb' });
  file.free();
  file[Symbol.dispose]();
  assert.ok((await asked).data.length > 1000);
  assert.equal((await caught(file.info())).message, 'file: expected a file, found one that was freed');
  const model = await worker.standardModel();
  const played = await worker.open(sample('walk.vmd'), { name: 'walk.vmd', model });
  model.free();
  assert.equal((await caught(played.info())).code, 'usage');
  assert.ok((await played.info({ model: await worker.standardModel() })).binding.unbound.length === 0);
});

test('bytes are copied, or handed over on request', async () => {
  const bytes = new Uint8Array(sample('walk.vmd'));
  const file = await worker.open(bytes, { name: 'walk.vmd' });
  assert.equal(bytes.length, sample('walk.vmd').length);
  assert.deepEqual(await file.toBytes(), bytes);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const [source, transfer] of [[new Blob([bytes]), false], [shared, true], [new Response(bytes), false], [bytes.buffer, true]]) {
    const again = await worker.open(source, { name: 'walk.vmd', transfer });
    assert.equal((await again.toBytes()).length, sample('walk.vmd').length);
  }
  assert.equal(bytes.length, 0, 'the buffer was handed over');
});

test('a Worker that is terminated refuses what it was asked and what it is asked', async () => {
  const ending = inWorker();
  const file = await ending.open(sample('bow.vmd'), { name: 'bow.vmd' });
  const asked = file.convert({ to: 'glb', bake: 1000 });
  ending.terminate();
  for (const promise of [asked, file.info(), ending.formats(), ending.open(sample('bow.vmd'))]) {
    const error = await caught(promise);
    assert.ok(error instanceof DopesheetError && error.code === 'terminated', String(error));
  }
  file.free();
  ending.terminate();
});

test('a module that cannot be started is said by each call', async () => {
  const broken = inWorker({ module: new Uint8Array([1, 2, 3]) });
  for (const promise of [broken.formats(), broken.standardModel()]) {
    const error = await caught(promise);
    assert.ok(error instanceof DopesheetError && error.code === 'internal', String(error));
    assert.match(error.message, /^the module could not be started: /);
    assert.ok(error.cause);
  }
  broken.terminate();
});

/** Of a conversion that takes a while: how long that was, and how many frames the page showed meanwhile. */
async function framesWhile(page, where) {
  return page.evaluate(async (where) => {
    const root = '/node_modules/dopesheet';
    const dopesheet = where === 'worker' ? (await import(`${root}/worker.js`)).inWorker() : await import(`${root}/index.js`);
    await dopesheet.default?.();
    const model = await dopesheet.standardModel();
    const file = await (await dopesheet.open(await fetch('bow.vmd'), { model })).repeat(12);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    let [frames, goesOn] = [0, true];
    const count = () => goesOn && (frames++, requestAnimationFrame(count));
    requestAnimationFrame(count);
    const start = performance.now();
    const { data } = await file.convert({ to: 'glb' });
    goesOn = false;
    const took_ms = performance.now() - start;
    dopesheet.terminate?.();
    return { frames, took_ms, bytes: data.length };
  }, where);
}

test('a page goes on while a Worker converts', { skip: noBrowser, timeout: 600_000 }, async () => {
  const { page, faults } = await opened(browser, server.origin);
  const [there, here] = [await framesWhile(page, 'worker'), await framesWhile(page, 'page')];
  console.log(`npm: ${there.frames} frames in ${there.took_ms.toFixed(0)} ms by a Worker, ${here.frames} in ${here.took_ms.toFixed(0)} ms without one`);
  assert.equal(there.bytes, here.bytes);
  assert.ok(here.took_ms > 300, 'the conversion takes long enough to be seen');
  assert.ok(here.frames <= 1, `without a Worker the page stands still: ${here.frames}`);
  assert.ok(there.frames >= 10, `with one it does not: ${there.frames}`);
  assert.deepEqual(faults, []);
});

test('a Worker of a browser keeps classes and places of errors, and takes files', { skip: noBrowser, timeout: 600_000 }, async () => {
  const { page, faults } = await opened(browser, server.origin);
  const answer = await page.evaluate(async () => {
    const [{ DopesheetError }, { inWorker }] = [await import('/node_modules/dopesheet/index.js'), await import('/node_modules/dopesheet/worker.js')];
    const dopesheet = inWorker({ module: 'node_modules/dopesheet/native_bg.wasm' });
    const bytes = await (await fetch('bow.vmd')).arrayBuffer();
    const error = await dopesheet.open(bytes.slice(0, 1000), { name: 'cut.vmd' }).catch((error) => error);
    const file = await dopesheet.open(new File([bytes], 'dropped.vmd'));
    const asked = file.convert({ to: 'glb', bake: 1000 }).catch((error) => error.code);
    dopesheet.terminate();
    const lost = inWorker({ worker: new Worker('/nowhere.js', { type: 'module' }) });
    const failed = await lost.formats().catch((error) => error);
    return {
      error: { isOurs: error instanceof DopesheetError, name: error.name, code: error.code, offset: error.offset, message: error.message },
      name: file.name,
      ended: await asked,
      failed: [failed instanceof DopesheetError, failed.code, failed.message],
    };
  });
  const cut = await caught(open(sample('bow.vmd').subarray(0, 1000), { name: 'cut.vmd' }));
  const { name, code, offset, message } = cut;
  assert.deepEqual(answer.error, { isOurs: true, name, code, offset, message });
  assert.deepEqual([answer.name, answer.ended], ['dropped.vmd', 'terminated']);
  assert.deepEqual(answer.failed, [true, 'internal', 'the Worker failed: its script could not be loaded']);
  assert.deepEqual(faults, []);
});

test('a Worker starts from another origin, such as that of a CDN', { skip: noBrowser, timeout: 600_000 }, async () => {
  const cdn = await served([HERE], { isShared: true });
  const { page, faults } = await opened(browser, server.origin, [server.origin, cdn.origin]);
  const size = await page.evaluate(async (cdn) => {
    const { inWorker } = await import(`${cdn}/node_modules/dopesheet/worker.js`);
    const dopesheet = inWorker();
    return (await (await dopesheet.open(await fetch('bow.vmd'))).toBytes()).length;
  }, cdn.origin);
  cdn.close();
  assert.equal(size, sample('bow.vmd').length);
  assert.deepEqual(faults, []);
});
