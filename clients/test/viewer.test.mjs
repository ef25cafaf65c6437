// The viewer's page as people use it: in a real Chromium, with files dropped on it. Needs DOPESHEET_PAGE, the folder that
// `cargo xtask web` makes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findChromium } from '../lib/look.mjs';
import { openViewer } from '../lib/viewer.mjs';
import { longMotion, manyKeys, manyVertices } from '../lib/viewer-files.mjs';
import { NO_COMMAND, ROOT, command, scratch, skipFor } from './programs.mjs';

const SAMPLES = join(ROOT, 'samples');
const PAGE = process.env.DOPESHEET_PAGE;
const CORPUS = process.env.DOPESHEET_CORPUS;
const chromium = findChromium();
const missing =
  (!PAGE && "the viewer's page (`cargo xtask web` makes it, DOPESHEET_PAGE names it)") ||
  (!chromium && 'a Chromium (CHROMIUM may name it)') ||
  NO_COMMAND;
const skip = skipFor(missing);

/** The most that the program may take as a host sends it, in bytes. */
const PROGRAM_BYTES = 3_100_000;
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

const quick = process.env.DOPESHEET_QUICK_BUILD ? 'the page was built quickly; `cargo xtask release page --check` judges its size' : false;

test('the page is small', { skip: skip || quick }, async () => {
  const { gzipSync } = await import('node:zlib');
  const bytes = gzipSync(readFileSync(join(PAGE, 'viewer_bg.wasm')), { level: 9 }).length;
  assert.ok(bytes <= PROGRAM_BYTES, `${bytes} bytes`);
});

test('the page starts at once', { skip }, async () => {
  const { first_frame_ms } = await viewer.status();
  // How long it took is said, and judged by nobody: that is the machine's doing, too.
  assert.ok(first_frame_ms > 0);
  console.log(`the first frame after ${first_frame_ms.toFixed(0)} ms`);
  await shoot('welcome');
});

test('the figure is as its pictures have it', { skip }, async () => {
  const start = Date.now();
  const page = await openViewer(chromium, PAGE);
  try {
    await page.drop([sample('bow.vmd')]);
    await page.until((status) => status.to_pose_ms > 0, 'a first pose');
    console.log(`from starting a browser to the first pose of bow.vmd: ${((Date.now() - start) / 1000).toFixed(1)} s`);
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

test('a part of the clip is played over and over', { skip }, async () => {
  await viewer.click('scrub', [0.25, 0.5]);
  await viewer.tab.keyboard.press('BracketLeft');
  await viewer.click('scrub', [0.5, 0.5]);
  await viewer.tab.keyboard.press('BracketRight');
  const { end_s } = await viewer.status();
  await viewer.tab.keyboard.press('Space');
  const times = [];
  // The first may be from where somebody has clicked.
  const starts = () => times.filter((time, i) => time < times[i - 1]).length;
  await viewer.until(({ time_s }) => times.push(time_s) > 1 && starts() > 1, 'two starts of the part');
  await viewer.tab.keyboard.press('Space');
  await viewer.until((status) => !status.is_playing, 'a pause');
  assert.ok(times.every((time) => time > 0.2 * end_s && time < 0.55 * end_s), times.join(' '));
  await viewer.tab.keyboard.press('Backslash');
});

test('the keys are listed, and curves of several rows are in one picture', { skip }, async () => {
  await viewer.click('keys');
  await shoot('keys');
  await viewer.click('keys');
  await viewer.tab.keyboard.press('KeyV');
  await viewer.click('keep');
  await viewer.click('row');
  await shoot('rows');
  await viewer.tab.keyboard.press('ArrowDown');
  await viewer.tab.keyboard.press('Escape');
  await viewer.click('keep');
  await viewer.tab.keyboard.press('KeyS');
});

test('whoever has no file tries a sample', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    await page.click('sample');
    const status = await page.until((status) => status.time_s > 0.1, 'time that passes');
    assert.deepEqual([status.active, status.failures], ['walk.vmd', []]);
    assert.deepEqual(page.faults, []);
  } finally {
    await page.close();
  }
});

test('findings are listed', { skip }, async () => {
  await viewer.click('Findings');
  const { findings } = await viewer.until((status) => typeof status.findings === 'number', 'findings');
  const { stdout } = spawnSync(command, ['check', join(SAMPLES, 'walk.vmd'), '--json']);
  assert.equal(findings, JSON.parse(String(stdout)).findings.length);
  await shoot('findings');
});

test('a finding leads to the key that it is about', { skip }, async () => {
  const path = join(ROOT, 'formats/mmd/src/vmd/fixtures/quirk/late-start.vmd');
  const { stdout } = spawnSync(command, ['check', path, '--json']);
  const { findings } = JSON.parse(String(stdout));
  const index = findings.findIndex(({ time_s }) => time_s > 0);
  assert.ok(index >= 0, String(stdout));
  await viewer.drop([{ name: 'late-start.vmd', bytes: readFileSync(path) }]);
  await viewer.click('scrub', [0, 0.5]);
  await viewer.until((status) => status.findings === findings.length && status.time_s === 0, 'the start');
  await viewer.click(`finding ${index}`);
  await viewer.until((status) => Math.abs(status.time_s - findings[index].time_s) < 1e-6, 'the time of the key');
  await viewer.click('file');
  await viewer.click('file walk.vmd');
  await viewer.until((status) => status.active === 'walk.vmd', 'the file before');
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

test('an FBX file becomes what the command makes of it', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    for (const name of ['chain', 'face']) {
      const path = join(ROOT, `formats/fbx/src/fbx/fixtures/valid/${name}.fbx`);
      const { failures } = await page.drop([{ name: `${name}.fbx`, bytes: readFileSync(path) }]);
      assert.deepEqual(failures, []);
      await page.until((status) => status.active === `${name}.fbx`, 'the file');
      if (name === 'chain') await page.click('Export');
      await page.click('target');
      await page.click('target glb');
      const { bytes } = await page.download('convert');
      const own = file(`${name}.glb`, '');
      // The page draws bones itself, and writes no mesh of them.
      run('convert', '--quiet', '--force', '--no-show-bones', path, '-o', own);
      assert.ok(bytes.equals(readFileSync(own)), `${name}: ${bytes.length} bytes are others than those of the command`);
    }
  } finally {
    await page.close();
  }
});

/** What is asked of conversions: the format, its variant, and options of the command with what they are given. */
const ASKED = [
  ['glb', 'glb', null, { range: '0.5:2' }],
  ['glb', 'glb', null, { tolerance: '5mm@10cm', lossy: null, names: 'english' }],
  ['bvh', 'bvh', null, { bake: '24' }],
  ['vmd', 'vmd', 'old', { shift: null, 'keep-constant': null }],
  ['playcanvas', 'json', '3', { raw: null, scale: '0.1' }],
];

test('what is asked of a conversion is what the command does when it is asked', { skip }, async () => {
  await viewer.click('Export');
  await viewer.click('options');
  for (const [format, extension, variant, options] of ASKED) {
    await viewer.click('target');
    await viewer.click(`target ${format}`);
    if (variant) {
      await viewer.click('variant');
      await viewer.click(`variant ${variant}`);
    }
    const words = Object.entries(options);
    for (const [id, value] of words) await viewer.ask(id, value);
    await shoot(`options-${format}`);
    const { bytes } = await viewer.download('convert');
    // What is asked is on until it is taken back.
    for (const [id, value] of words) await viewer.ask(id, value === 'english' ? 'original' : value === null ? null : '');
    const given = words.map(([id, value]) => (value === null ? `--${id}` : `--${id}=${value}`));
    const target = variant ? `${format}@${variant}` : format;
    const named = file(`walk.${extension}`, '');
    run('convert', '--quiet', '--force', join(SAMPLES, 'walk.vmd'), '-t', target, '-o', named, ...given);
    assert.ok(bytes.equals(readFileSync(named)), `${target} ${given}: ${bytes.length} bytes are others than the command's`);
  }
  await viewer.click('options');
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

test('a motion is put onto another figure, and taken home as the command writes it', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    await page.drop([sample('jump.bvh'), sample('avatar.vrm')]);
    const { verdict, fitted } = await page.until((status) => status.fitted, 'the figure with the motion');
    assert.equal(fitted, 'jump on avatar.vrm', 'it is put on as both are dropped');
    assert.match(verdict, /^(good|look at it|bad): /);
    await shoot('put-on', page);
    await page.ask('contacts', 'off');
    await page.until((status) => status.fitted && status.verdict !== verdict, 'another verdict');
    await page.click('to export');
    for (const [format, extension] of [['glb', 'glb'], ['vrma', 'vrma']]) {
      await page.click('target');
      await page.click(`target ${format}`);
      const { name, bytes } = await page.download('convert');
      assert.equal(name, `jump on avatar.${extension}`);
      const own = file(`jump.${extension}`, '');
      const words = ['--onto', join(SAMPLES, 'avatar.vrm'), '--contacts', 'off', '-o', own];
      run('convert', '--quiet', '--force', join(SAMPLES, 'jump.bvh'), ...words);
      assert.ok(bytes.equals(readFileSync(own)), `${format}: ${bytes.length} bytes are others than those of the command`);
    }
  } finally {
    await page.close();
  }
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

test('a figure from the address takes the motion', { skip }, async () => {
  const query = '?file=samples/walk.vmd&figure=samples/character.glb';
  const other = await openViewer(chromium, PAGE, { folders: { samples: SAMPLES }, query });
  try {
    const { active, fitted } = await other.until((status) => status.fitted, 'the figure with the motion');
    assert.deepEqual([active, fitted], ['walk.vmd', 'walk on character.glb']);
    await shoot('figure-of-address', other);
    assert.deepEqual(other.faults, []);
  } finally {
    await other.close();
  }
});

test('every sample is opened', { skip }, async () => {
  const names = readdirSync(SAMPLES).filter((name) => !/\.(md|svg)$/.test(name));
  assert.ok(names.length >= 10, `${names.length} samples`);
  for (const name of names) {
    const { failures, offers } = await viewer.drop([sample(name)]);
    assert.deepEqual(failures, [], name);
    if (offers.length > 0) await viewer.click('open all');
  }
});

test('an archive asks what to open, and nothing is compared', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    await page.drop([sample('bow.vmd'), sample('walk.vmd')]);
    await page.until((status) => status.compared_with === 'bow.vmd' || status.compared_with === 'walk.vmd', 'a comparison');
    const { offers, files } = await page.drop([sample('door.m4b')]);
    assert.deepEqual([offers, files.length], [['door.m4b'], 2]);
    await page.click('open anims/door/open.ubi', [0.05, 0.5]);
    await page.click('open chosen');
    const status = await page.until((status) => status.offers.length === 0, 'an answer');
    assert.deepEqual([status.active, status.compared_with ?? null, status.files.length], ['open.ubi', null, 3]);
    assert.deepEqual(page.faults, []);
  } finally {
    await page.close();
  }
});

test('the page runs nothing but its own program and asks no other host', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    const found = await page.tab.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.intruded = true';
      document.body.append(script);
      const asked = await fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused');
      return { intruded: window.intruded ?? false, asked };
    });
    assert.deepEqual(found, { intruded: false, asked: 'refused' });
    assert.ok(page.faults.some((fault) => /Content Security Policy/i.test(fault)), page.faults.join('; '));
  } finally {
    await page.close();
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

test('the page goes on while something long is done, which can be stopped', { skip }, async () => {
  const page = await openViewer(chromium, PAGE);
  try {
    await page.drop([{ name: 'long.vmd', bytes: longMotion(sample('walk.vmd').bytes) }]);
    await page.click('Export');
    await page.click('Loop as GIF');
    const { time_s } = await page.until((status) => status.busy.length > 0, 'something that is done');
    await page.until((status) => status.busy.length > 0 && Math.abs(status.time_s - time_s) > 0.2, 'time that passes meanwhile');
    await shoot('busy', page);
    await page.click('stop writing');
    await page.until((status) => status.busy.length === 0 && status.said === '', 'nothing more to do');
    assert.deepEqual(page.faults, []);
  } finally {
    await page.close();
  }
});

test('nothing else went wrong, and nothing left the origin', { skip }, () => {
  assert.deepEqual(viewer.faults, []);
  assert.ok(viewer.requests.some((url) => url.endsWith('japanese.ttf')), 'the letters of ボーン were asked for');
});

/** The least of what is measured a few times: what others do on the machine only adds to it. */
async function least(times, measure) {
  const all = [];
  for (let i = 0; i < times; i++) all.push(await measure());
  return Math.min(...all);
}

/** What a frame takes while a clip plays, in milliseconds, once the mean has settled. */
async function frameOf(page, name, bytes) {
  await page.drop([{ name, bytes }]);
  await page.until((status) => status.active === name && status.rows > 0, 'its rows');
  await page.tab.waitForTimeout(6000);
  return { ...(await page.status()), cpu_ms: await page.processorPerFrame(5000) };
}

// How long things take is the machine's doing, too: it is said, and judged by nobody.
test('how long things take is said', { skip: skip || (!process.env.MEASURE && 'SKIPPED: MEASURE is not set') }, async () => {
  const walk = sample('walk.vmd');
  const long = { name: 'long.vmd', bytes: longMotion(walk.bytes) };
  const toPose = async (before) => {
    const page = await openViewer(chromium, PAGE);
    try {
      await page.tab.waitForTimeout(1500);
      for (const earlier of before) await page.drop([earlier]);
      await page.tab.waitForTimeout(1000);
      await page.drop([long]);
      await page.settle();
      return (await page.status()).to_pose_ms;
    } finally {
      await page.close();
    }
  };
  const first = await least(5, () => toPose([]));
  const second = await least(5, () => toPose([walk]));
  console.log(`${long.bytes.length} bytes of VMD to the first pose: ${first.toFixed(0)} ms, after another file ${second.toFixed(0)} ms`);
  const page = await openViewer(chromium, PAGE);
  try {
    const figure = await frameOf(page, 'figure.glb', manyVertices(500, 50_000));
    console.log(`500 bones, 50,000 vertices: a frame takes ${figure.frame_ms.toFixed(1)} ms, ${figure.cpu_ms.toFixed(1)} ms of the processor, the scene ${figure.pose_ms.toFixed(1)} ms`);
    const keys = await frameOf(page, 'keys.glb', manyKeys(200, 20_000));
    console.log(`${keys.rows} rows of 20,000 keys: a frame takes ${keys.frame_ms.toFixed(1)} ms, ${keys.cpu_ms.toFixed(1)} ms of the processor, the sheet ${keys.sheet_ms.toFixed(1)} ms`);
    await shoot('keys', page);
    assert.deepEqual(page.faults, []);
  } finally {
    await page.close();
  }
});
