// A VRM animation as we write it, played by three-vrm-animation on avatars of other sizes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { VRMCoreLoaderPlugin } from '@pixiv/three-vrm-core';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { avatar, jsonOf } from '../lib/vrm-avatar.mjs';

const WRITTEN = new URL('../../formats/gltf/src/vrma/fixtures/valid/as-written.vrma', import.meta.url);
globalThis.self ??= globalThis;

function load(bytes, plugin) {
  const loader = new GLTFLoader();
  loader.register(plugin);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
}

const bytes = readFileSync(WRITTEN);
const motion = await load(bytes, (parser) => new VRMAnimationLoaderPlugin(parser));
const [animation] = motion.userData.vrmAnimations;

test('three-vrm-animation finds every bone, expression and the gaze', () => {
  const { humanoid, expressions } = jsonOf(bytes).extensions.VRMC_vrm_animation;
  const bones = Object.keys(humanoid.humanBones);
  assert.ok(bones.length >= 15);
  for (const bone of animation.humanoidTracks.rotation.keys()) assert.ok(bones.includes(bone), bone);
  assert.deepEqual([...animation.humanoidTracks.rotation.keys()], ['hips', 'head', 'leftUpperArm']);
  assert.deepEqual([...animation.humanoidTracks.translation.keys()], ['hips']);
  assert.deepEqual([...animation.expressionTracks.preset.keys()], Object.keys(expressions.preset));
  assert.deepEqual([...animation.expressionTracks.custom.keys()], Object.keys(expressions.custom));
  assert.ok(animation.lookAtTrack);
  assert.equal(animation.duration, 1);
});

for (const scale of [1, 0.7, 1.9]) {
  test(`an avatar ${scale} times as tall moves as the animation's own nodes do`, async () => {
    const { userData } = await load(avatar(bytes, scale), (parser) => new VRMCoreLoaderPlugin(parser));
    const humanoid = userData.vrmHumanoid;
    const vrm = {
      scene: humanoid.normalizedHumanBonesRoot,
      humanoid,
      meta: userData.vrmMeta,
      expressionManager: userData.vrmExpressionManager,
      lookAt: userData.vrmLookAt,
    };
    const clip = createVRMAnimationClip(animation, vrm);
    const [theirs, plain] = [new AnimationMixer(humanoid.normalizedHumanBonesRoot), new AnimationMixer(motion.scene)];
    // Tracks of expressions and the gaze have no object below the bones; they are looked at above.
    const bones = clip.clone();
    bones.tracks = bones.tracks.filter((track) => track.name.startsWith('Normalized_'));
    assert.equal(bones.tracks.length, 4);
    theirs.clipAction(bones).play();
    plain.clipAction(motion.animations[0]).play();
    let [farthest, moved] = [0, 0];
    for (let time = 0; time < animation.duration; time += 1 / 16) {
      for (const mixer of [theirs, plain]) mixer.setTime(time);
      humanoid.update();
      for (const scene of [humanoid.getRawBoneNode('hips').parent, motion.scene]) scene.updateMatrixWorld(true);
      for (const name of Object.keys(jsonOf(bytes).extensions.VRMC_vrm_animation.humanoid.humanBones)) {
        const is = humanoid.getRawBoneNode(name).getWorldPosition(new Vector3());
        const node = motion.scene.getObjectByName(name);
        const should = node.getWorldPosition(new Vector3()).multiplyScalar(scale);
        farthest = Math.max(farthest, is.distanceTo(should));
        moved = Math.max(moved, should.y);
      }
    }
    assert.ok(farthest < 1e-6, `${farthest} m`);
    assert.ok(moved > 1.5 * scale, `${moved} m`);
  });
}
