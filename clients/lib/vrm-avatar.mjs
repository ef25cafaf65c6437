// A VRM 1.0 avatar made of the rest pose of a VRM animation, of any size.

import { glb } from '../test/tiny-glb.mjs';

/** The JSON of a GLB. */
export function jsonOf(bytes) {
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
}

/** A GLB with the bones and expressions of `vrma`, `scale` times as tall. */
export function avatar(vrma, scale) {
  const { nodes, scenes, extensions } = jsonOf(vrma);
  const { humanoid, expressions } = extensions.VRMC_vrm_animation;
  const none = (names) => Object.fromEntries(Object.keys(names ?? {}).map((name) => [name, {}]));
  const model = {
    specVersion: '1.0',
    meta: { name: 'puppet', version: '1', authors: ['Dopesheet'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: humanoid.humanBones },
    expressions: { preset: none(expressions?.preset), custom: none(expressions?.custom) },
    lookAt: { type: 'bone', offsetFromHeadBone: [0, 0.06, 0] },
  };
  const sized = ({ name, children, translation }) => ({
    name,
    ...(children && { children }),
    ...(translation && { translation: translation.map((x) => x * scale) }),
  });
  const json = { asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm'], scene: 0, scenes, nodes: nodes.map(sized) };
  return glb({ ...json, extensions: { VRMC_vrm: model } }, Buffer.alloc(0));
}
