// clip.show() of the Python package in a real JupyterLab. Needs DOPESHEET_NOTEBOOK, an interpreter with both and the viewer's page, which
// `cargo xtask release notebook --check` makes.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openNotebook } from '../lib/jupyter.mjs';
import { findChromium } from '../lib/look.mjs';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));
const python = process.env.DOPESHEET_NOTEBOOK;
const chromium = findChromium();
const missing =
  (!python && 'a JupyterLab with the package (`cargo xtask release notebook --check` makes it)') ||
  (!chromium && 'a Chromium (CHROMIUM may name it)');
// Only a release has to have it.
const skip = missing ? `SKIPPED for want of ${missing}` : false;

const CELLS = [
  'import dopesheet\nclip = dopesheet.open("bow.vmd", model="standard").clips[0]\nclip.show(height=500)',
  'again = dopesheet.Clip.from_poses(clip.poses(axes="gltf"))\nagain.show()',
];

let notebook;
before(async () => {
  if (skip) return;
  const files = ['bow.vmd'].map((name) => ({ name, bytes: readFileSync(join(SAMPLES, name)) }));
  notebook = await openNotebook(chromium, python, CELLS, files);
});
after(() => notebook?.close());

/** The viewer in the output of a cell, once it shows something, and its status. */
async function viewerIn(cell) {
  const element = await notebook.page.waitForSelector(`.jp-CodeCell >> nth=${cell} >> iframe[title=Dopesheet]`, {
    timeout: notebook.patience_ms,
  });
  await element.scrollIntoViewIfNeeded();
  const frame = await element.contentFrame();
  const start = Date.now();
  for (;;) {
    const status = await frame.evaluate(() => window.dopesheet ?? { note: document.getElementById('note')?.textContent });
    if (status.to_pose_ms > 0 || status.failures?.length > 0) return { element, frame, status };
    assert.ok(Date.now() - start < notebook.patience_ms, `expected a first pose, found ${JSON.stringify(status)}`);
    await frame.waitForTimeout(200);
  }
}

/** Keeps a picture of an element where SHOTS says. */
async function shoot(name, element) {
  const picture = await element.screenshot();
  if (process.env.SHOTS) {
    mkdirSync(process.env.SHOTS, { recursive: true });
    writeFileSync(join(process.env.SHOTS, `${name}.png`), picture);
  }
  return picture;
}

/** Share of the pixels of a picture that are so; `isSo` is the text of a function of red, green and blue. */
function share(picture, isSo) {
  const measure = async ([picture, isSo]) => {
    const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += isSo(data[i], data[i + 1], data[i + 2]);
    return count / (data.length / 4);
  };
  return notebook.page.evaluate(`(${measure})([${JSON.stringify(picture.toString('base64'))}, ${isSo}])`);
}

test('a clip is shown in the output of a cell', { skip, timeout: 300_000 }, async () => {
  const { element, status } = await viewerIn(0);
  assert.deepEqual([status.files, status.failures], [['bow.vmd'], []]);
  await notebook.page.waitForTimeout(1500);
  const picture = await shoot('notebook', element);
  await shoot('jupyterlab', notebook.page);
  // Auburn hair and a blue suit.
  const hair = await share(picture, '(r, g, b) => r > g + 40 && g > b');
  const suit = await share(picture, '(r, g, b) => b > r + 40');
  assert.ok(hair > 0.001 && suit > 0.002, `hair ${hair}, suit ${suit}`);
});

test('time passes in a notebook, and letters come from the kernel', { skip, timeout: 300_000 }, async () => {
  const { frame, status } = await viewerIn(0);
  assert.equal(status.is_playing, true);
  await frame.waitForFunction((before) => window.dopesheet.time_s !== before, status.time_s, { timeout: 60_000 });
  const answer = (name) => frame.evaluate((name) => fetch(new URL(name, document.baseURI)).then(({ status }) => status), name);
  assert.deepEqual([await answer('text.ttf'), await answer('nothing.ttf')], [200, 404]);
});

test('a clip that no file holds is shown', { skip, timeout: 300_000 }, async () => {
  const { element, status } = await viewerIn(1);
  assert.deepEqual([status.files, status.failures], [['clip.glb'], []]);
  await notebook.page.waitForTimeout(1000);
  await shoot('notebook-memory', element);
});

test('a frame in a notebook reaches neither the notebook nor any other host', { skip, timeout: 300_000 }, async () => {
  const { frame } = await viewerIn(0);
  const reached = await frame.evaluate(() => {
    try {
      return parent.document.title;
    } catch (error) {
      return error.name;
    }
  });
  assert.equal(reached, 'SecurityError');
  const others = notebook.requests.filter((url) => !/^(data|blob|about):/.test(url) && !url.startsWith(notebook.origin));
  assert.deepEqual(others, []);
});
