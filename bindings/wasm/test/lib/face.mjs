// A face as models have it: one mesh of many materials, with morph targets for all of them.

/** How many materials the face has. */
export const MATERIALS = 17;

/** Numbers one after the other in one buffer, and the views and accessors of glTF for them. */
class Numbers {
  bytes = [];
  bufferViews = [];
  accessors = [];

  add(type, width, rows, more = {}) {
    const values = Float32Array.from(rows.flat());
    this.bufferViews.push({ buffer: 0, byteOffset: 4 * this.bytes.length, byteLength: values.byteLength });
    this.bytes.push(...values);
    const accessor = { bufferView: this.bufferViews.length - 1, componentType: 5126, count: values.length / width, type };
    return this.accessors.push({ ...accessor, ...more }) - 1;
  }
}

/**
 * Bytes of a GLB. The node Face has two morph targets and a mesh of 17 materials; below it hangs Beard, with a mesh of one
 * material and as many targets. In a second the mouth of the face opens, its eyes close in half of it, the beard's mouth
 * closes, and the face goes up by a metre.
 *
 * `others` are further nodes; `isJoint` makes of the face a joint of a skin as well.
 */
export function face({ others = [], isJoint = false } = {}) {
  const numbers = new Numbers();
  const bounds = { min: [0, 0, 0], max: [1, 1, 0] };
  const corners = numbers.add('VEC3', 3, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], bounds);
  const targets = [1, 2].map((by) => {
    const moved = { min: [0, 0, 0], max: [0, 0, by] };
    return { POSITION: numbers.add('VEC3', 3, [[0, 0, 0], [0, 0, 0], [0, 0, by]], moved) };
  });
  const primitive = (_, material) => ({ attributes: { POSITION: corners }, material, targets });
  const mesh = (name, count) => ({
    name,
    primitives: Array.from({ length: count }, primitive),
    extras: { targetNames: ['あ', 'まばたき'] },
  });
  const times = numbers.add('SCALAR', 1, [0, 0.5, 1], { min: [0], max: [1] });
  const output = (type, width, rows) => ({ input: times, output: numbers.add(type, width, rows) });
  const samplers = [
    output('SCALAR', 1, [0, 0, 0.5, 1, 1, 1]),
    output('SCALAR', 1, [1, 0, 0.5, 0, 0, 0]),
    output('VEC3', 3, [[0, 0, 0], [0, 0.5, 0], [0, 1, 0]]),
  ];
  const channel = (sampler, node, path) => ({ sampler, target: { node, path } });
  const nodes = [{ name: 'Face', mesh: 0, children: [1] }, { name: 'Beard', mesh: 1 }];
  const skinned = { name: 'Body', mesh: 2, skin: 0 };
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [...others.map((_, index) => index + 2), 0] }],
    nodes: [...nodes, ...others.map((name) => ({ name }))],
    meshes: [mesh('Face', MATERIALS), mesh('Beard', 1)],
    materials: Array.from({ length: MATERIALS }, (_, index) => ({ name: `material ${index}` })),
    animations: [
      { name: 'speak', samplers, channels: [channel(0, 0, 'weights'), channel(1, 1, 'weights'), channel(2, 0, 'translation')] },
    ],
  };
  if (isJoint) {
    document.scenes[0].nodes.push(document.nodes.push(skinned) - 1);
    document.skins = [{ joints: [0] }];
    const joints = numbers.add('VEC4', 4, Array.from({ length: 3 }, () => [0, 0, 0, 0]));
    const weights = numbers.add('VEC4', 4, Array.from({ length: 3 }, () => [1, 0, 0, 0]));
    // All zero, which is the same in whole numbers.
    Object.assign(numbers.accessors[joints], { componentType: 5123 });
    const attributes = { POSITION: corners, JOINTS_0: joints, WEIGHTS_0: weights };
    document.meshes.push({ name: 'Body', primitives: [{ attributes }] });
  }
  return glb({ ...document, accessors: numbers.accessors, bufferViews: numbers.bufferViews }, numbers.bytes);
}

function glb(document, values) {
  const binary = new Uint8Array(Float32Array.from(values).buffer);
  const text = new TextEncoder().encode(JSON.stringify({ ...document, buffers: [{ byteLength: binary.length }] }));
  const chunk = (kind, bytes, filler) => {
    const padded = new Uint8Array(8 + Math.ceil(bytes.length / 4) * 4).fill(filler);
    padded.set(new Uint8Array(Uint32Array.of(padded.length - 8, kind).buffer));
    padded.set(bytes, 8);
    return padded;
  };
  const chunks = [chunk(0x4e4f534a, text, 0x20), chunk(0x004e4942, binary, 0)];
  const length = 12 + chunks[0].length + chunks[1].length;
  return new Uint8Array(Buffer.concat([new Uint8Array(Uint32Array.of(0x46546c67, 2, length).buffer), ...chunks]));
}
