// Avatars made of the rest pose of a VRM animation: in VRM 1.0, of any size, and in VRM 0.x.

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

/** A GLB as {@link avatar} makes it, in VRM 0.x. */
export function oldAvatar(vrma) {
  const { nodes, scenes, extensions } = jsonOf(vrma);
  const humanBones = Object.entries(extensions.VRMC_vrm_animation.humanoid.humanBones).map(([bone, { node }]) => ({
    bone,
    node,
    useDefaultValues: true,
  }));
  const model = {
    exporterVersion: 'Dopesheet',
    specVersion: '0.0',
    meta: { title: 'puppet', author: 'Dopesheet', allowedUserName: 'Everyone', licenseName: 'CC0' },
    humanoid: { humanBones },
    firstPerson: { firstPersonBone: -1, lookAtTypeName: 'Bone' },
    blendShapeMaster: { blendShapeGroups: [] },
    secondaryAnimation: { boneGroups: [], colliderGroups: [] },
    materialProperties: [],
  };
  const plain = ({ name, children, translation }) => ({
    name,
    ...(children && { children }),
    ...(translation && { translation }),
  });
  const json = { asset: { version: '2.0' }, extensionsUsed: ['VRM'], scene: 0, scenes, nodes: nodes.map(plain) };
  return glb({ ...json, extensions: { VRM: model } }, Buffer.alloc(0));
}
