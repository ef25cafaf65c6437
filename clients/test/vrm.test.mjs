// Avatars with a motion, as `convert --onto avatar.vrm -o x.vrm` writes them: valid glTF, loaded by three-vrm, and what that does with
// the motion.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VRMCoreLoaderPlugin } from '@pixiv/three-vrm-core';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { validate } from '../lib/validator.mjs';
import { avatar, jsonOf, oldAvatar } from '../lib/vrm-avatar.mjs';
import { NO_COMMAND, ROOT, command, scratch, skipFor } from './programs.mjs';

const VRMA = new URL('../../formats/gltf/src/vrma/fixtures/valid/as-written.vrma', import.meta.url);
globalThis.self ??= globalThis;

const skip = skipFor(NO_COMMAND);
const file = scratch();

async function load(bytes, plugin) {
  const loader = new GLTFLoader();
  if (plugin) loader.register(plugin);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
}

/** Places of named nodes at some times of the only clip, after `update` of each. */
function places(root, clip, names, update) {
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  return [0, 0.5, 1, 1.5, 2].flatMap((time) => {
    mixer.setTime(time);
    update();
    root.updateMatrixWorld(true);
    return names.map((name) => root.getObjectByName(name).getWorldPosition(new Vector3()));
  });
}

const farthest = (a, b) => Math.max(...a.map((place, at) => place.distanceTo(b[at])));

for (const [version, make] of [['1.0', (bytes) => avatar(bytes, 1)], ['0.x', oldAvatar]]) {
  test(`three-vrm plays the motion in an avatar of VRM ${version} if it leaves the bones alone, and else not`, { skip }, async () => {
    const bytes = readFileSync(VRMA);
    const [hero, out] = [file(`hero-${version}.vrm`, make(bytes)), file(`dancing-${version}.vrm`, '')];
    const jump = join(ROOT, 'samples', 'jump.bvh');
    const { status, stderr } = spawnSync(command, ['convert', '--force', jump, '--onto', hero, '-o', out]);
    assert.equal(status, 0, String(stderr));
    assert.match(String(stderr), /vrm-players/);
    const made = readFileSync(out);
    assert.deepEqual(jsonOf(made).extensions, jsonOf(make(bytes)).extensions);
    // The name of the extension VRM has no form that the validator likes.
    const [before, verdict] = [await validate(hero), await validate(out)];
    assert.deepEqual([verdict.errors, verdict.warnings], [0, before.warnings], JSON.stringify(verdict.messages));

    const names = ['hips', 'leftHand', 'rightFoot', 'head'];
    const plain = await load(made);
    const should = places(plain.scene, plain.animations[0], names, () => {});
    const moved = farthest(should.slice(names.length), should.slice(0, -names.length));
    assert.ok(moved > 0.1, `${moved} m`);
    for (const auto of [false, true]) {
      const gltf = await load(made, (parser) => new VRMCoreLoaderPlugin(parser, { autoUpdateHumanBones: auto }));
      const humanoid = gltf.userData.vrmHumanoid;
      assert.ok(humanoid, 'an avatar');
      const is = places(gltf.scene, gltf.animations[0], names, () => humanoid.update());
      const apart = farthest(is, should);
      if (auto) assert.ok(apart > 0.1, `${apart} m: the bones of its own overwrite the motion`);
      else assert.ok(apart < 1e-6, `${apart} m`);
    }
  });
}
