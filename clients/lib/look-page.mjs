// Runs in the browser: three.js draws a figure, and pictures are compared. `look` is what look.mjs calls.

import { AnimationMixer, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** By how much, of 255, a channel of a pixel may be off before the pixel counts as another one. */
const OTHER = 32;

/** Where we look from and to, in metres: the whole of a figure of 1.6 m, a little from its left. */
const [EYE, AIM, FIELD_DEG] = [[1.3, 1.2, 3.6], [0, 0.82, 0], 28];

async function load(url, size) {
  const gltf = await new GLTFLoader().loadAsync(url);
  const scene = new Scene();
  scene.background = new Color(0x6b7680);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(2, 3, 4);
  scene.add(gltf.scene, new HemisphereLight(0xffffff, 0x888888, 1.5), sun);
  // Bounds are those at rest, and what leaves them would not be drawn.
  gltf.scene.traverse((object) => (object.frustumCulled = false));
  const camera = new PerspectiveCamera(FIELD_DEG, 1, 0.1, 20);
  camera.position.set(...EYE);
  camera.lookAt(...AIM);
  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(size, size);
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  return { gltf, scene, camera, renderer, mixer };
}

/**
 * The figure at a time, as the URL of a PNG. `moved` puts joints elsewhere, by metres in their parents' axes, and `plain`
 * leaves pictures off the surface: the faults that a comparison has to find.
 */
function draw({ gltf, scene, camera, renderer, mixer }, time_s, { moved = {}, plain = false } = {}) {
  mixer.setTime(time_s);
  const meshes = [];
  gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
  const pictures = meshes.map(({ material }) => material.map);
  const setMap = (mesh, map) => ((mesh.material.map = map), (mesh.material.needsUpdate = true));
  if (plain) meshes.forEach((mesh) => setMap(mesh, null));
  for (const [name, by] of Object.entries(moved)) {
    const joint = gltf.scene.getObjectByName(name);
    if (joint === undefined) throw new Error(`no joint ${name}`);
    joint.position.fromArray(joint.position.toArray().map((x, axis) => x + by[axis]));
  }
  renderer.render(scene, camera);
  const url = renderer.domElement.toDataURL('image/png');
  for (const [name, by] of Object.entries(moved)) {
    const joint = gltf.scene.getObjectByName(name);
    joint.position.fromArray(joint.position.toArray().map((x, axis) => x - by[axis]));
  }
  meshes.forEach((mesh, i) => setMap(mesh, pictures[i]));
  return url;
}

async function pixels(url) {
  const bitmap = await createImageBitmap(await (await fetch(url)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/**
 * How far apart two pictures are: `mean`, the mean difference of all colour channels of 255, and `share`, the share of pixels
 * that are unlike every pixel of the other picture in their place and around it. Edges that another driver draws a
 * pixel further are alike.
 */
async function compare(urlA, urlB) {
  const [a, b] = await Promise.all([pixels(urlA), pixels(urlB)]);
  if (a.width !== b.width || a.height !== b.height) return { mean: 255, share: 1 };
  const { width, height } = a;
  let sum = 0;
  let others = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      for (let channel = 0; channel < 3; channel++) sum += Math.abs(a.data[at + channel] - b.data[at + channel]);
      if (isAlone(a, b, x, y) || isAlone(b, a, x, y)) others += 1;
    }
  }
  return { mean: sum / (3 * width * height), share: others / (width * height) };
}

/** Whether a pixel of `a` is unlike the nine of `b` around its place. */
function isAlone(a, b, x, y) {
  const { width, height } = a;
  const own = 4 * (y * width + x);
  for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v++) {
    for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u++) {
      const at = 4 * (v * width + u);
      if ([0, 1, 2].every((channel) => Math.abs(a.data[own + channel] - b.data[at + channel]) <= OTHER)) return false;
    }
  }
  return true;
}

window.look = { load, draw, compare };
