// An empty Vite app that installs the package and builds, in a Chromium without a window; types, as an editor sees them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as library from 'dopesheet';
import init, { open } from 'dopesheet';
import { HERE, launched, noBrowser, opened, pixelsOf, served } from './lib/browser.mjs';
import { sample } from './lib/files.mjs';

/** The packed package. */
const packed = process.env.DOPESHEET_PACKAGE;

let browser;
let server;
let app;
const took = { start: performance.now() };

/** An empty project that installs the package, and is built and served. */
before(async () => {
  if (noBrowser) return;
  // Inside of this folder, where Vite and three.js are found; the package itself is installed anew.
  app = mkdtempSync(join(HERE, 'app-'));
  cpSync(join(HERE, 'app'), app, { recursive: true });
  mkdirSync(join(app, 'public'));
  for (const name of ['walk.vmd', 'bow.vmd']) writeFileSync(join(app, 'public', name), sample(name));
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const installed = spawnSync(npm, ['install', '--offline', packed], { cwd: app, encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr);
  took.installed = performance.now();
  assert.ok(existsSync(join(app, 'node_modules/dopesheet/index.js')));
  const vite = join(HERE, 'node_modules/vite/bin/vite.js');
  const built = spawnSync(process.execPath, [vite, 'build'], { cwd: app, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr + built.stdout);
  browser = await launched();
  server = await served([join(app, 'dist')]);
});

after(async () => {
  await browser?.close();
  server?.close();
  if (app) rmSync(app, { recursive: true });
});

test('a figure bows in an app of Vite', { skip: noBrowser, timeout: 600_000 }, async () => {
  const { page, faults } = await opened(browser, `${server.origin}/figure.html`);
  await page.waitForFunction(() => window.figure !== undefined || window.failure !== undefined, undefined, { timeout: 240_000 });
  assert.equal(await page.evaluate(() => window.failure), undefined);
  const [installed, first] = [took.installed, performance.now()].map((at) => ((at - took.start) / 1000).toFixed(1));
  console.log(`npm: installed after ${installed} s, first result after ${first} s`);
  const [upright, bowed] = [await shown(page, 0), await shown(page, 1.5)];
  const size = upright.pixels.length;
  const figure = upright.pixels.filter((pixel) => pixel !== BACKGROUND).length / size;
  assert.ok(figure > 0.02 && figure < 0.8, `the figure takes ${figure} of the picture`);
  const moved = upright.pixels.filter((pixel, i) => pixel !== bowed.pixels[i]).length / size;
  assert.ok(moved > 0.01, `${moved} of the picture is another one`);
  assert.ok(upright.head_m > 1.2 && bowed.head_m < upright.head_m - 0.05, `the head at ${upright.head_m} m, then ${bowed.head_m} m`);
  assert.deepEqual(faults, []);
});

/** What is drawn where nothing is. */
const BACKGROUND = 0xffffff;

/** The figure at a time: each pixel as one number, and the height of its head. */
async function shown(page, time_s) {
  const head_m = await page.evaluate((time_s) => window.figure(time_s), time_s);
  const pixels = await pixelsOf(page, 'canvas', `npm-${time_s}`);
  return { pixels, head_m };
}

test('an app of Vite converts in a page and in a Worker', { skip: noBrowser, timeout: 600_000 }, async () => {
  const assets = readdirSync(join(app, 'dist/assets'));
  assert.ok(assets.some((name) => name.endsWith('.wasm')), `the module is an asset: ${assets}`);
  const { page, faults } = await opened(browser, server.origin);
  await page.waitForFunction(() => window.answer !== undefined, undefined, { timeout: 240_000 });
  const [here, there] = await page.evaluate(() => window.answer);
  await init();
  const file = await open(sample('walk.vmd'), { name: 'walk.vmd' });
  const expected = [...file.convert({ to: 'glb' }).data];
  assert.deepEqual(here.glb, expected, 'a page writes what node writes');
  assert.deepEqual(there.glb, expected, 'and so does a Worker');
  assert.equal(here.name, 'walk.vmd');
  assert.deepEqual([here.error.code, here.error.offset], ['mmd-signature', 0], JSON.stringify(here.error));
  assert.ok(here.clip.tracks > 10 && Math.abs(here.clip.duration - 4.4) < 1e-6, JSON.stringify(here.clip));
  const { times, tracks } = file.sample({ times: [0.5] });
  assert.deepEqual(here.times, [...times]);
  assert.deepEqual(here.tracks, tracks.map(({ target, channels }) => [target, [...(channels.translation?.values ?? [])]]));
  assert.deepEqual(faults, []);
});

/** What a thread of node answers, in which `code` runs with `dopesheet` and what was posted to it as `posted`. */
async function inThread(code, posted) {
  const text = `
    const { parentPort, workerData: posted } = require('node:worker_threads');
    import('dopesheet').then(async (dopesheet) => parentPort.postMessage(await (async () => { ${code} })()));`;
  const folder = mkdtempSync(join(HERE, 'thread-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'thread.cjs');
  writeFileSync(path, text);
  return new Promise((resolve, reject) => {
    new Worker(path, { workerData: posted }).on('message', resolve).on('error', reject);
  });
}

const CONVERT = "return (await dopesheet.open(posted.walk, { name: 'walk.vmd' })).convert({ to: 'glb' }).data;";

test('a thread of node has a library of its own, also of a module that was posted to it', async () => {
  await init();
  const walk = sample('walk.vmd');
  const expected = Buffer.from((await open(walk, { name: 'walk.vmd' })).convert({ to: 'glb' }).data);
  const own = await inThread(`await dopesheet.default(); ${CONVERT}`, { walk });
  assert.deepEqual(Buffer.from(own), expected);
  const module = await WebAssembly.compile(readFileSync(join(HERE, 'node_modules/dopesheet/native_bg.wasm')));
  const posted = await inThread(`dopesheet.initSync(posted.module); ${CONVERT}`, { walk, module });
  assert.deepEqual(Buffer.from(posted), expected);
});

test('what is called too early, or with a wrong module, says so, and may be tried again', async () => {
  const said = await inThread(
    `const said = [];
     const note = (error) => said.push([error.name, error.code, error.message]);
     try { dopesheet.formats(); } catch (error) { note(error); }
     await dopesheet.open(posted.walk).catch(note);
     await dopesheet.default(new Uint8Array([1, 2, 3])).catch(note);
     await Promise.all([dopesheet.default(), dopesheet.default()]);
     said.push(dopesheet.formats().length > 10);
     return said;`,
    { walk: sample('walk.vmd') },
  );
  const early = ['DopesheetError', 'usage', 'expected init() to be done first: await init()'];
  assert.deepEqual(said.slice(0, 2), [early, early]);
  assert.deepEqual(said[2].slice(0, 2), ['DopesheetError', 'internal']);
  assert.match(said[2][2], /^the module could not be started: /);
  assert.equal(said[3], true);
});

test('types say what there is, and refuse what there is not', () => {
  const good = `
    import * as THREE from 'three';
    import init, { open, toThreeAnimationClip, type Conversion, type DopesheetError } from 'dopesheet';
    import { inWorker, type InWorker, type WorkerFile } from 'dopesheet/worker';
    export async function run(input: Blob): Promise<Conversion> {
      await init();
      using file = await open(input, { name: 'x.vmd', assume: { rate: '30' } });
      const clip: THREE.AnimationClip = toThreeAnimationClip(file, THREE, { clip: 0, root: new THREE.Group() });
      const values: Float64Array = file.sample({ fps: 30, axes: 'gltf' }).tracks[0]!.channels['rotation']!.values;
      console.log(clip.duration, values.length);
      using part = file.trim(1, '90f', { keepTime: true }).retime({ speed: 0.5 }).keysLaw([0, 1], [0, 0.5, 0.5, 1], { kind: 'joint' });
      console.log(part.report().approximated[0]?.max_error?.value);
      return file.convert({ to: 'glb', tolerance: '0.1mm' });
    }
    export async function there(input: Blob): Promise<Uint8Array> {
      using worker: InWorker = inWorker();
      const model: WorkerFile = await worker.standardModel();
      const file = await worker.open(input, { model, transfer: true });
      const [first] = await file.split([1, '45f']);
      const half: WorkerFile = await first!.trim(1, '90f', { keepTime: true });
      const values: Float64Array = (await half.sample({ range: [0, 1, 0.5], model })).tracks[0]!.channels['rotation']!.values;
      const clip: THREE.AnimationClip = await worker.toThreeAnimationClip(half, THREE, { model, root: new THREE.Group() });
      console.log(values.length, clip.duration, half.name, half.model?.format, (await half.info()).clips[0]?.name);
      return (await worker.convert([file, half], { to: 'gltf', onto: model })).data;
    }
    export const where = (error: DopesheetError): number | undefined => error.offset;
  `;
  const options = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', skipLibCheck: false };
  const lib = ['es2022', 'dom', 'esnext.disposable'];
  const folder = join(HERE, 'types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  after(() => rmSync(folder, { recursive: true }));
  const check = (text) => {
    writeFileSync(join(folder, 'use.mts'), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true, lib, types: [] } }));
    const tsc = join(HERE, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  };
  const fine = check(good);
  assert.equal(fine.status, 0, fine.stdout);
  for (const [from, to] of [
    ["axes: 'gltf'", "axes: 'blender'"],
    ["to: 'glb'", 'to: 7'],
    ["{ rate: '30' }", '30'],
    ['{ keepTime: true }', '{ keepTimes: true }'],
    ['{ speed: 0.5 }', '{ pace: 0.5 }'],
    ["kind: 'joint'", "kind: 'bone'"],
    ['await first!.trim(', 'first!.trim('],
    ['range: [0, 1, 0.5]', 'range: 7'],
    ["{ to: 'gltf', onto: model }", "{ to: 'gltf', onto: input }"],
    ['{ model, transfer: true }', '{ model: await open(input) }'],
    ['await open(input,', "await open('x.vmd',"],
  ]) {
    assert.ok(good.includes(from));
    assert.notEqual(check(good.replace(from, to)).status, 0, to);
  }
});

const quick = process.env.DOPESHEET_QUICK_BUILD ? 'the module was built quickly; `cargo xtask release npm --check` judges its size' : false;

test('the module is small', { skip: quick }, () => {
  const module = statSync(join(HERE, 'node_modules/dopesheet/native_bg.wasm')).size;
  assert.ok(module < 5_700_000, `${module} bytes of module`);
});

test('the package starts nothing by itself and holds no other code', () => {
  const folder = join(HERE, 'node_modules/dopesheet');
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    assert.ok(!/^await |= await import|^\s*eval\(/m.test(text.replace(/^ +.*$/gm, '')), `${name} waits at its top`);
  }
  const types = readFileSync(join(folder, 'index.d.ts'), 'utf8');
  for (const name of Object.keys(library).filter((name) => name !== 'default')) {
    assert.match(types, new RegExp(`^export (function|class) ${name}\\b`, 'm'));
  }
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.deepEqual(dependencies, {});
});
