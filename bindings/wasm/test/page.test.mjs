// An empty Vite app that installs the package and builds, in a Chromium without a window; types, as an editor sees them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import * as library from 'dopesheet';
import init, { open } from 'dopesheet';
import { sample } from './lib/files.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const folders = (process.env.PATH ?? '').split(delimiter);
const browserPath = [process.env.CHROMIUM, ...folders.flatMap((f) => NAMES.map((n) => join(f, n)))].find((p) => p && existsSync(p));
const noBrowser = browserPath || process.env.CI === 'true' ? false : 'SKIPPED for want of a Chromium (CHROMIUM may name it)';

/** The packed package. */
const packed = process.env.DOPESHEET_PACKAGE;

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves a folder. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname;
    const path = join(folder, name === '/' ? 'index.html' : name);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** What WebGL needs where there is no graphics processor. */
const ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

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
  browser = await chromium.launch({ executablePath: browserPath, args: ARGUMENTS });
  server = await serve(join(app, 'dist'));
});

after(async () => {
  await browser?.close();
  server?.close();
  if (app) rmSync(app, { recursive: true });
});

/** A page of the app, and what went wrong on it. */
async function opened(name) {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
  return { page, faults };
}

test('a figure bows in an app of Vite', { skip: noBrowser, timeout: 120_000 }, async () => {
  const { page, faults } = await opened('figure.html');
  await page.waitForFunction(() => window.figure !== undefined || window.failure !== undefined, undefined, { timeout: 60_000 });
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
  const picture = await page.locator('canvas').screenshot();
  if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `npm-${time_s}.png`), picture);
  const pixels = await page.evaluate(async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2]);
  }, picture.toString('base64'));
  return { pixels, head_m };
}

test('an app of Vite converts in a page and in a Worker', { skip: noBrowser, timeout: 120_000 }, async () => {
  const assets = readdirSync(join(app, 'dist/assets'));
  assert.ok(assets.some((name) => name.endsWith('.wasm')), `the module is an asset: ${assets}`);
  const { page, faults } = await opened('');
  await page.waitForFunction(() => window.answer !== undefined, undefined, { timeout: 20_000 });
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
    export async function run(input: Blob): Promise<Conversion> {
      await init();
      using file = await open(input, { name: 'x.vmd', assume: { rate: '30' } });
      const clip: THREE.AnimationClip = toThreeAnimationClip(file, THREE, { clip: 0, root: new THREE.Group() });
      const values: Float64Array = file.sample({ fps: 30, axes: 'gltf' }).tracks[0]!.channels['rotation']!.values;
      console.log(clip.duration, values.length);
      using part = file.trim(1, '90f', { keepTime: true }).retime({ speed: 0.5 }).keysLaw([0, 1], [0, 0.5, 0.5, 1], { kind: 'joint' });
      console.log(part.report().approximated[0]?.max_error.value);
      return file.convert({ to: 'glb', tolerance: '0.1mm' });
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
    ['await open(input,', "await open('x.vmd',"],
  ]) {
    assert.ok(good.includes(from));
    assert.notEqual(check(good.replace(from, to)).status, 0, to);
  }
});

test('the package is small, starts nothing by itself and holds no other code', () => {
  const folder = join(HERE, 'node_modules/dopesheet');
  const module = statSync(join(folder, 'native_bg.wasm')).size;
  assert.ok(module < 5_200_000, `${module} bytes of module`);
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
