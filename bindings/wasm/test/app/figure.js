// What a page of somebody shows: a motion on the figure that comes with the package, drawn by three.js.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import init, { open, standardModel, toThreeAnimationClip } from 'dopesheet';

/** Shows the first pose. A function of the time in seconds, which shows another one and tells how high the head is, in metres. */
async function show() {
  await init();
  const file = await open(await fetch('bow.vmd'), { model: standardModel() });
  const { data } = file.convert({ to: 'glb' });
  const { scene: figure } = await new GLTFLoader().parseAsync(data.buffer, '');
  const mixer = new THREE.AnimationMixer(figure);
  mixer.clipAction(toThreeAnimationClip(file, THREE, { root: figure })).play();

  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(400, 400);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xffffff);
  scene.add(figure, new THREE.HemisphereLight(0xffffff, 0x808080, 2));
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 20);
  camera.position.set(2, 1, 2);
  camera.lookAt(0, 0.8, 0);

  const head = figure.getObjectByName('頭');
  const at = (time_s) => {
    mixer.setTime(time_s);
    renderer.render(scene, camera);
    return head.getWorldPosition(new THREE.Vector3()).y;
  };
  at(0);
  return at;
}

show().then(
  (figure) => (window.figure = figure),
  (error) => (window.failure = String(error)),
);
