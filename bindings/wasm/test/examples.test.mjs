// The pages of ../examples as they are copied: served as they lie there, and by Vite with nothing said to it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HERE, launched, noBrowser, opened, pixelsOf, served } from './lib/browser.mjs';
import { ROOT, sample } from './lib/files.mjs';

const VITE = join(HERE, 'node_modules/vite/bin/vite.js');
const STANDARD = join(ROOT, 'crates/dopesheet/src/standard');

let browser;
let app;

/** The example in a folder of its own, with the package installed and a motion beside it. */
before(async () => {
  if (noBrowser) return;
  browser = await launched();
  app = mkdtempSync(join(HERE, 'dance-'));
  cpSync(join(ROOT, 'bindings/wasm/examples/dance'), app, { recursive: true });
  mkdirSync(join(app, 'public'));
  for (const folder of ['.', 'public']) writeFileSync(join(app, folder, 'bow.vmd'), sample('bow.vmd'));
  writeFileSync(join(app, 'package.json'), '{ "name": "dance", "private": true, "type": "module" }');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const installed = spawnSync(npm, ['install', '--offline', process.env.DOPESHEET_PACKAGE], { cwd: app, encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr);
});

after(async () => {
  await browser?.close();
  if (app) rmSync(app, { recursive: true });
});

/** The page of the example after what it says has come to this. */
async function dancing(origin, words) {
  const { page, faults } = await opened(browser, origin);
  await says(page, words);
  return { page, faults };
}

const says = (page, words) =>
  page.waitForFunction((words) => new RegExp(words).test(document.querySelector('output').value), words.source, { timeout: 240_000 });

/** That what is drawn is a figure, and another one a while later. */
async function moves(page, name) {
  const [first, later] = [await pixelsOf(page, 'canvas', `${name}-1`), (await page.waitForTimeout(700), await pixelsOf(page, 'canvas', `${name}-2`))];
  assert.ok(new Set(first).size > 200, `${new Set(first).size} colours`);
  const moved = first.filter((pixel, i) => pixel !== later[i]).length / first.length;
  assert.ok(moved > 0.003, `${moved} of the picture is another one`);
}

test('a motion plays on a page with an import map', { skip: noBrowser, timeout: 600_000 }, async () => {
  const server = await served([app, HERE]);
  const { page, faults } = await dancing(server.origin, /^bow\.vmd on standard\.pmx/);
  await moves(page, 'dance-plain');
  assert.deepEqual(faults, []);
  await page.close();
  server.close();
});

test('a visitor drops a motion, a model with its texture, and an avatar', { skip: noBrowser, timeout: 900_000 }, async () => {
  const server = await served([app, HERE]);
  const { page, faults } = await dancing(server.origin, /^bow\.vmd/);
  const choose = (...files) => page.locator('input').setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: '', buffer })));
  const [model, texture] = ['standard.pmx', 'standard.png'].map((name) => readFileSync(join(STANDARD, name)));
  await choose(['puppet.pmx', model]);
  await says(page, /^bow\.vmd on puppet\.pmx/);
  const bare = await pixelsOf(page, 'canvas', 'dance-bare');
  await choose(['standard.png', texture], ['puppet.pmx', model]);
  await says(page, /^bow\.vmd on puppet\.pmx/);
  await moves(page, 'dance-chosen');
  const colours = async () => new Set(await pixelsOf(page, 'canvas', 'dance-textured')).size;
  assert.ok((await colours()) > new Set(bare).size, 'the texture is seen');
  await choose(['avatar.vrm', sample('avatar.vrm')]);
  await says(page, /^bow\.vmd on avatar\.vrm/);
  await moves(page, 'dance-avatar');
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], 'walk.vmd'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer }));
  }, [...sample('walk.vmd')]);
  await says(page, /^walk\.vmd on avatar\.vrm/);
  await choose(['cut.vmd', sample('bow.vmd').subarray(0, 1000)]);
  await says(page, /^vmd: byte 0x32 \(bone keys count\): expected at most 8 records/);
  await moves(page, 'dance-still');
  assert.deepEqual(faults, []);
  await page.close();
  server.close();
});

test('files of folders keep their paths, however many a folder has', async () => {
  const { dropped } = await import(new URL(`file://${join(ROOT, 'bindings/wasm/examples/dance/dropped.js')}`));
  const file = (name) => ({ isFile: true, name, file: (resolve) => resolve(`content of ${name}`) });
  const folder = (name, children) => ({
    name,
    createReader: () => ({ readEntries: (resolve) => resolve(children.splice(0, 100)) }),
  });
  const textures = Array.from({ length: 250 }, (_, i) => file(`${i}.png`));
  const items = [file('a.vmd'), folder('miku', [file('miku.pmx'), folder('tex', textures)])];
  const all = await dropped({ items: items.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] });
  assert.equal(all.length, 252);
  assert.deepEqual(all.at(-1), { path: 'miku/tex/249.png', file: 'content of 249.png' });
});

test('a motion plays on a page that Vite builds, and on its page for development', { skip: noBrowser, timeout: 900_000 }, async () => {
  const built = spawnSync(process.execPath, [VITE, 'build'], { cwd: app, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr + built.stdout);
  const server = await served([join(app, 'dist')]);
  const { page, faults } = await dancing(server.origin, /^bow\.vmd on standard\.pmx/);
  await moves(page, 'dance-built');
  assert.deepEqual(faults, []);
  await page.close();
  server.close();
  const vite = spawn(process.execPath, [VITE, '--port', '0', '--host', '127.0.0.1'], { cwd: app });
  after(() => vite.kill());
  const origin = await new Promise((resolve, reject) => {
    let said = '';
    vite.stdout.on('data', (data) => {
      said += data;
      const found = said.replaceAll(/\x1b\[\d+m/g, '').match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) resolve(found[0]);
    });
    vite.on('exit', () => reject(new Error(said)));
  });
  const dev = await dancing(origin, /^bow\.vmd on standard\.pmx/);
  await moves(dev.page, 'dance-dev');
  assert.deepEqual(dev.faults, []);
});
