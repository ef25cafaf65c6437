// The JavaScript of the documents, as a reader copies it, in a Chromium without a window.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HERE, launched, noBrowser, opened, served } from './lib/browser.mjs';
import { ROOT, sample } from './lib/files.mjs';

const DOCUMENTS = ['README.md', 'bindings/wasm/README.md', ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

/** What the text around a piece says that there is. */
const [START, VMD, CAMERA, PMX, THREE, FIGURE] = [
  "import init, { open, standardModel, toThreeAnimationClip } from 'dopesheet'; await init();",
  "const vmd = await (await fetch('dance.vmd')).arrayBuffer();",
  "const camera = await open(await fetch('camera.vmd'), { name: 'camera.vmd' });",
  "const pmx = await (await fetch('miku.pmx')).arrayBuffer();",
  "import * as THREE from 'three';",
  `import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
   const file = await open(vmd, { name: 'dance.vmd', model: standardModel() });
   const { data } = file.convert({ to: 'glb' });`,
];
const MIXER = "import * as THREE from 'three'; const mixer = new THREE.AnimationMixer(new THREE.Group());";

/** By words that only one piece has: what stands before it, and what is true after it. */
const PIECES = {
  'bindings/wasm/README.md: file.info().clips': ['', 'data.length > 10_000 && report.from === "vmd"'],
  'bindings/wasm/README.md: inWorker': [THREE, 'data.length > 100_000 && report.clips.length === 1 && clip.tracks.length > 20'],
  "bindings/wasm/README.md: name: 'miku.pmx'": [START + VMD + PMX, 'file.info().binding.unbound.length === 0 && file.model.format === "pmx"'],
  'bindings/wasm/README.md: retime': [`${START}${VMD}${CAMERA} const file = await open(vmd, { name: "dance.vmd" });`, 'bytes.length > 1000 && intro.info().clips[0].duration_s === 1.5 && dance.format === "vmd" && body.info().clips[0].keys > lens.info().clips[0].keys'],
  'bindings/wasm/README.md: onto: avatar': [
    `${START}${VMD}${THREE}${FIGURE} const vrm = await (await fetch('avatar.vrm')).arrayBuffer();`,
    'player.stats.actions.total === 1 && player.setTime(1.5) === player && hero.getObjectByName("J_Bip_L_UpperLeg").quaternion.w < 1 && report.dropped.length >= 0',
  ],
  'bindings/wasm/README.md: parseAsync(data': [START + VMD + THREE + FIGURE, 'mixer.getRoot() === scene && scene.getObjectByName("頭").isBone && mixer.setTime(1.5) === mixer'],
  "bindings/wasm/README.md: 'cut.vmd'": [`${START}${VMD} const bytes = vmd.slice(0, 1000);`, 'true'],
  'README.md: using file': [MIXER, 'data.length > 10_000 && report.dropped.length === 0 && mixer.stats.actions.total === 1'],
  'docs/journeys.md: using file': [MIXER, 'mixer.stats.actions.total === 1'],
  'docs/editing.md: retime': [`${START}${VMD} const bytes = vmd;`, 'part.length > 1000'],
};

/** The pieces of JavaScript in a document. */
const piecesOf = (name) => [...readFileSync(join(ROOT, name), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => ({ name, code }));
const pieces = DOCUMENTS.flatMap(piecesOf);

let browser;
let server;
const files = {};

before(async () => {
  if (noBrowser) return;
  browser = await launched();
  const imports = {
    dopesheet: '/node_modules/dopesheet/index.js',
    'dopesheet/worker': '/node_modules/dopesheet/worker.js',
    three: '/node_modules/three/build/three.module.js',
    'three/addons/': '/node_modules/three/examples/jsm/',
  };
  files['index.html'] = `<!doctype html><title>pieces</title><script type="importmap">${JSON.stringify({ imports })}</script>`;
  files['dance.vmd'] = sample('bow.vmd');
  files['camera.vmd'] = sample('camera.vmd');
  files['avatar.vrm'] = sample('avatar.vrm');
  files['miku.pmx'] = readFileSync(join(ROOT, 'crates/dopesheet/src/standard/standard.pmx'));
  server = await served([HERE], { files });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test('each piece of JavaScript is known, and there is nothing known that no document has', () => {
  for (const { name, code } of pieces) assert.equal(knownOf({ name, code }).length, 1, `${name}:\n${code}`);
  for (const known of Object.keys(PIECES)) assert.equal(pieces.filter((piece) => knownOf(piece).includes(known)).length, 1, known);
});

const knownOf = ({ name, code }) => {
  const isOf = (known) => known.startsWith(`${name}: `) && code.includes(known.slice(name.length + 2));
  return Object.keys(PIECES).filter(isOf);
};

for (const [index, piece] of pieces.entries()) {
  const [known] = knownOf(piece);
  test(`a reader may copy this: ${known}`, { skip: noBrowser, timeout: 600_000 }, async () => {
    const { answer, faults } = await ran(index, piece.code, PIECES[known]);
    assert.deepEqual([answer, faults], [true, []]);
  });
}

/** What is true after a piece, and what went wrong. */
async function ran(index, code, [before, truth]) {
  // Only what the piece itself does not import.
  const start = before.replaceAll(/import .*? from '([^']+)';/g, (line, module) => (code.includes(`from '${module}'`) ? '' : line));
  files[`piece-${index}.js`] = `${start}\n${code}\nglobalThis.answer = ${truth};`;
  const { page, faults } = await opened(browser, server.origin);
  await page.addScriptTag({ type: 'module', url: `piece-${index}.js` }).catch((error) => faults.push(String(error)));
  const read = () => page.evaluate(() => window.answer);
  let answer;
  for (let tries = 0; tries < 2400 && answer === undefined && faults.length === 0; tries++) {
    await page.waitForTimeout(100);
    answer = await read();
  }
  await page.close();
  return { answer, faults };
}

test('a piece that fails is seen', { skip: noBrowser, timeout: 600_000 }, async () => {
  const wrong = await ran(pieces.length, "nobody.has('this');", ['', 'true']);
  assert.ok(wrong.answer === undefined && wrong.faults.some((fault) => fault.includes('nobody')), String(wrong.faults));
});
