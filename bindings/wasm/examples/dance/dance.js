// A motion of MikuMikuDance on its model, played by three.js. A Worker reads and converts, so the page never stands still.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { inWorker } from 'dopesheet/worker';
import { dropped } from './dropped.js';

const dopesheet = inWorker();

/** What is played: a motion, and a model of MikuMikuDance or another figure that the motion is put onto. */
let motion;
let figure;

/** Opens what is known of some files; all others may be textures of a model. */
async function take(files) {
  for (const { path, file } of files) {
    if (/\.(vmd|vpd)$/i.test(path)) motion = await dopesheet.open(file);
    else if (/\.(pmx|pmd)$/i.test(path)) figure = await dopesheet.open(file, { resources: await beside(file, files) });
    else if (/\.(vrm|glb)$/i.test(path)) figure = await dopesheet.open(file);
  }
  figure ??= await dopesheet.standardModel();
  const isModel = ['pmx', 'pmd'].includes(figure.format);
  const { data, report } = motion
    ? await motion.convert({ to: 'glb', ...(isModel ? { model: figure } : { onto: figure }) })
    : await figure.convert({ to: 'glb' });
  await show(data);
  const lost = report.dropped.map(({ what, why }) => `\nNot shown: ${what} (${why})`);
  return `${motion?.name ?? 'no motion'} on ${figure.name}${lost.join('')}`;
}

/** The textures that a model names, by these names, among files whose paths may begin with more folders, or have none. */
async function beside(model, files) {
  const plain = (path) => path.toLowerCase().normalize();
  const ends = (path, name) => `/${plain(path)}`.endsWith(`/${plain(name)}`);
  const found = (await dopesheet.wants(model)).map((name) => {
    const of = files.find(({ path }) => ends(path, name)) ?? files.find(({ path }) => ends(name, path));
    return [name, of?.file];
  });
  return Object.fromEntries(found.filter(([, file]) => file));
}

const canvas = document.querySelector('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe6ec);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(2, 3, 4);
scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 2), sun, new THREE.GridHelper(10, 10, 0x8899aa, 0xb8c4ce));
const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 100);
camera.position.set(1.5, 1.4, 4);
const controls = new OrbitControls(camera, canvas);
controls.target.set(0, 0.8, 0);

let shown;

/** Plays the first animation of a GLB in the place of what was shown before. */
async function show(glb) {
  const { scene: object, animations } = await new GLTFLoader().parseAsync(glb.buffer, '');
  // The bounds of a skin are those at rest, and a dancer leaves them.
  object.traverse((part) => (part.frustumCulled = false));
  if (shown) scene.remove(shown.object);
  const mixer = new THREE.AnimationMixer(object);
  if (animations.length > 0) mixer.clipAction(animations[0]).play();
  scene.add(object);
  shown = { object, mixer };
}

const clock = new THREE.Timer();
renderer.setAnimationLoop((now) => {
  const { clientWidth: width, clientHeight: height } = canvas;
  renderer.setSize(width, height, false);
  renderer.setPixelRatio(devicePixelRatio);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  controls.update();
  clock.update(now);
  shown?.mixer.update(clock.getDelta());
  renderer.render(scene, camera);
});

/** Takes files and says what came of it. An error names the file's fault with its place. */
async function tryTo(files) {
  const said = document.querySelector('output');
  said.value = 'One moment …';
  said.value = await files.then(take).catch((error) => error.message);
}

document.querySelector('input').addEventListener('change', ({ target }) => {
  tryTo(Promise.resolve([...target.files].map((file) => ({ path: file.name, file }))));
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  tryTo(dropped(event.dataTransfer));
});

// A motion that lies beside this page is played until another one is dropped.
const response = await fetch('bow.vmd');
tryTo(Promise.resolve(response.ok ? [{ path: 'bow.vmd', file: response }] : []));
