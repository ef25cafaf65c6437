// The viewer's page as people use it: in a real Chromium, with files dropped on it. Needs DOPESHEET_PAGE, the folder that
// `cargo xtask web` makes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../lib/look.mjs';
import { openViewer } from '../lib/viewer.mjs';
import { scratch } from './programs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLES = join(ROOT, 'samples');
const PAGE = process.env.DOPESHEET_PAGE;
const CORPUS = process.env.DOPESHEET_CORPUS;
const command = [process.env.DOPESHEET, ...['release', 'debug'].map((folder) => join(ROOT, 'target', folder, 'dopesheet'))].find(
  (path) => path && existsSync(path),
);
const chromium = findChromium();
const missing =
  (!PAGE && "the viewer's page (`cargo xtask web` makes it, DOPESHEET_PAGE names it)") ||
  (!chromium && 'a Chromium (CHROMIUM may name it)') ||
  (!command && 'the command dopesheet (DOPESHEET may name it)');
const skip = missing && process.env.CI !== 'true' ? `SKIPPED for want of ${missing}` : false;

/** The most that the program may take as a host sends it, in bytes. */
const PROGRAM_BYTES = 2.5 * 2 ** 20;
/** How many damaged files of other people there are. */
const BAD_FILES = 100;

const file = scratch();
const sample = (name) => ({ name, bytes: readFileSync(join(SAMPLES, name)) });

function run(...words) {
  const { status, stderr } = spawnSync(command, words);
  assert.equal(status, 0, String(stderr));
}

let viewer;
before(async () => {
  if (skip) return;
  assert.ok(!missing, `expected ${missing}, found none`);
  viewer = await openViewer(chromium, PAGE, { folders: { samples: SAMPLES } });
});
after(() => viewer?.close());

/** Keeps a picture of the page where SHOTS says. */
async function shoot(name, of = viewer) {
  if (!process.env.SHOTS) return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  writeFileSync(join(process.env.SHOTS, `${name}.png`), await of.picture());
}

test('the page is small and starts at once', { skip }, async () => {
  const { gzipSync } = await import('node:zlib');
  const bytes = gzipSync(readFileSync(join(PAGE, 'viewer_bg.wasm')), { level: 9 }).length;
  assert.ok(bytes <= PROGRAM_BYTES, `${bytes} bytes`);
  const { first_frame_ms } = await viewer.status();
  // How long it took is said, and judged by nobody: that is the machine's doing, too.
  assert.ok(first_frame_ms > 0);
  console.log(`the first frame after ${first_frame_ms.toFixed(0)} ms`);
  await shoot('welcome');
});

test('the figure is as its pictures have it', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    await page.drop([sample('bow.vmd')]);
    await page.click('play');
    await page.until((status) => !status.is_playing, 'a pause');
    await page.click('scrub', [0.02, 0.5]);
    await page.until((status) => status.time_s < 0.2, 'the start');
    await page.tab.waitForTimeout(500);
    const share = async (area, isSo) => {
      const pixels = await page.pixels(area);
      return pixels.filter(isSo).length / pixels.length;
    };
    // Auburn hair above a blue suit; a picture upside down has them the other way round.
    const hair = await share([440, 70, 140, 80], ([r, g, b]) => r > g + 40 && g > b);
    const suit = await share([440, 150, 140, 120], ([r, g, b]) => b > r + 40);
    assert.ok(hair > 0.05 && suit > 0.05, `hair ${hair}, suit ${suit}`);
    assert.deepEqual(page.faults, []);
    await shoot('figure', page);
  } finally {
    await page.close();
  }
});

test('a dropped file plays, stops, and is dragged through time', { skip }, async () => {
  await viewer.drop([sample('walk.vmd')]);
  const playing = await viewer.until((status) => status.time_s > 0.1, 'time that passes');
  assert.deepEqual([playing.active, playing.is_playing, playing.failures], ['walk.vmd', true, []]);
  assert.ok(playing.to_pose_ms > 0);
  await viewer.click('play');
  const { time_s } = await viewer.until((status) => !status.is_playing, 'a pause');
  await viewer.click('on');
  await viewer.until((status) => status.time_s > time_s, 'the next frame');
  await viewer.click('scrub', [0.5, 0.5]);
  const middle = await viewer.until((status) => Math.abs(status.time_s / status.end_s - 0.5) < 0.02, 'the middle');
  assert.equal(middle.is_playing, false);
  await shoot('walk');
});

test('keys of the keyboard do what buttons do', { skip }, async () => {
  await viewer.tab.keyboard.press('Space');
  await viewer.until((status) => status.is_playing, 'playing');
  await viewer.tab.keyboard.press('Space');
  const { time_s } = await viewer.until((status) => !status.is_playing, 'a pause');
  await viewer.tab.keyboard.press('ArrowLeft');
  await viewer.until((status) => status.time_s < time_s, 'the frame before');
  await viewer.tab.keyboard.press('KeyV');
  await viewer.until((status) => status.tab === 'Curves', 'curves');
  await shoot('curves');
  await viewer.tab.keyboard.press('KeyS');
  const { rows } = await viewer.until((status) => status.tab === 'Dope sheet' && status.rows > 0, 'rows of keys');
  assert.ok(rows > 3, `${rows} rows`);
});

test('findings are listed', { skip }, async () => {
  await viewer.click('Findings');
  const { findings } = await viewer.until((status) => typeof status.findings === 'number', 'findings');
  const { stdout } = spawnSync(command, ['check', join(SAMPLES, 'walk.vmd'), '--json']);
  assert.equal(findings, JSON.parse(String(stdout)).findings.length);
  await shoot('findings');
});

test('what is exported is what the command writes', { skip }, async () => {
  await viewer.click('Export');
  for (const [format, extension] of [['glb', 'glb'], ['vmd', 'vmd'], ['bvh', 'bvh']]) {
    await viewer.click('target');
    await viewer.click(`target ${format}`);
    const { name, bytes } = await viewer.download('convert');
    const own = file(`walk.${extension}`, '');
    run('convert', '--quiet', '--force', join(SAMPLES, 'walk.vmd'), '-o', own);
    assert.equal(name, `walk.${extension}`);
    assert.ok(bytes.equals(readFileSync(own)), `${format}: ${bytes.length} bytes are others than those of the command`);
  }
  const svg = await viewer.download('Dope sheet as SVG');
  const own = file('walk.svg', '');
  run('plot', join(SAMPLES, 'walk.vmd'), '-o', own, '--force');
  assert.ok(svg.bytes.equals(readFileSync(own)), 'the dope sheet is another than that of the command');
  const png = await viewer.download('View as PNG');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  await shoot('export');
});

test('a motion and what it was converted to are compared', { skip }, async () => {
  const glb = file('walk-2.glb', '');
  run('convert', '--quiet', '--force', join(SAMPLES, 'walk.vmd'), '-o', glb);
  await viewer.drop([{ name: 'walk-2.glb', bytes: readFileSync(glb) }]);
  await viewer.click('Compare');
  await viewer.click('other');
  await viewer.click('other walk.vmd');
  const same = await viewer.until((status) => status.agree !== null && status.compared_with === 'walk.vmd', 'a verdict');
  assert.equal(same.agree, true);
  await shoot('compare');
  await viewer.drop([sample('bow.vmd')]);
  await viewer.click('other');
  await viewer.click('other walk.vmd');
  const apart = await viewer.until((status) => status.active === 'bow.vmd' && status.agree !== null, 'another verdict');
  assert.equal(apart.agree, false);
  await viewer.click('Over each other');
  await shoot('over');
});

test('a motion plays on the model that comes with it, and what is no file of ours is named', { skip }, async () => {
  await viewer.drop([sample('door.json'), sample('door.model.json')]);
  const { active } = await viewer.status();
  assert.equal(active, 'door.json');
  const { failures } = await viewer.drop([{ name: 'notes.txt', bytes: Buffer.from('no animation') }]);
  assert.equal(failures.length, 1);
  assert.match(failures[0].why, /expected|unknown/);
  await shoot('failure');
  await viewer.click('close failures');
  await viewer.until((status) => status.failures.length === 0, 'no message');
});

test('files and the time come from the address of the same host', { skip }, async () => {
  const query = '?file=samples/hands.bin#t=0.5&tab=curves';
  const other = await openViewer(chromium, PAGE, { folders: { samples: SAMPLES }, query, size: [390, 844], dark: false });
  try {
    const status = await other.until((status) => status.active === 'hands.bin', 'the file of the address');
    assert.equal(status.tab, 'Curves');
    await other.until((status) => status.time_s === 0.5 && !status.is_playing, 'the time of the address');
    await shoot('phone', other);
    assert.deepEqual(other.faults, []);
  } finally {
    await other.close();
  }
});

test('every sample is opened', { skip }, async () => {
  const names = readdirSync(SAMPLES).filter((name) => !/\.(md|svg)$/.test(name));
  assert.ok(names.length >= 10, `${names.length} samples`);
  for (const name of names) {
    const { failures } = await viewer.drop([sample(name)]);
    assert.deepEqual(failures, [], name);
  }
});

const without = 'SKIPPED: DOPESHEET_CORPUS is not set, so no damaged file was dropped';
test('damaged files are refused in words, and nothing breaks', { skip: skip || (!CORPUS && without) }, async () => {
  const folders = ['mmd', 'mrtk', 'more', 'playcanvas', 'gltf'].map((family) => join(CORPUS, family, 'bad'));
  const all = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const bad = all.filter((path) => !path.endsWith('manifest.json'));
  assert.ok(bad.length >= BAD_FILES, `${bad.length} damaged files`);
  for (const path of bad) {
    const { failures } = await viewer.drop([{ name: path.split(/[\\/]/).pop(), bytes: readFileSync(path) }]);
    assert.ok(failures.every(({ why }) => why.length > 10), JSON.stringify(failures.at(-1)));
  }
  const time = (await viewer.drop([sample('walk.vmd')])).time_s;
  await viewer.until((status) => status.active === 'walk.vmd' && status.time_s !== time, 'a viewer that still plays');
});

test('nothing else went wrong, and nothing left the origin', { skip }, () => {
  assert.deepEqual(viewer.faults, []);
  assert.ok(viewer.requests.some((url) => url.endsWith('japanese.ttf')), 'the letters of ボーン were asked for');
});
