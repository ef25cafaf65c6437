// Files that are as large as what the viewer's page is measured with. All of them are made up, and the same each time.

const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const FLOAT = 5126;

/** A number from 0 to 1 that looks like chance: the sine of whole numbers. */
const chance = (n) => Math.abs(Math.sin(n * 12.9898) * 43758.5453) % 1;

/**
 * A motion of 150 bones and 315 keys each, which is 5 MB of VMD: those of `sample`, a VMD, by their names, and others that no
 * model has. Keys of a bone are 6 frames apart, and their curves are bent.
 */
export function longMotion(sample) {
  const [BONES, KEYS, APART, HEAD, RECORD] = [150, 315, 6, 50, 111];
  const count = sample.readUInt32LE(HEAD);
  const fields = Array.from({ length: count }, (_, i) => sample.subarray(HEAD + 4 + i * RECORD, HEAD + 4 + i * RECORD + 15));
  const names = [...new Map(fields.map((field) => [field.toString('hex'), field])).values()].slice(0, BONES);
  while (names.length < BONES) names.push(Buffer.from(`bone ${names.length}`.padEnd(15, '\0')));
  const bytes = Buffer.alloc(HEAD + 4 + BONES * KEYS * RECORD + 5 * 4);
  sample.copy(bytes, 0, 0, HEAD);
  bytes.writeUInt32LE(BONES * KEYS, HEAD);
  names.forEach((name, bone) => {
    for (let key = 0; key < KEYS; key++) {
      const at = HEAD + 4 + (bone * KEYS + key) * RECORD;
      name.copy(bytes, at);
      bytes.writeUInt32LE(key * APART, at + 15);
      const turn = (chance(bone * KEYS + key) - 0.5) * 0.8;
      bytes.writeFloatLE(Math.sin(turn / 2), at + 31 + 4 * (bone % 3));
      bytes.writeFloatLE(Math.cos(turn / 2), at + 43);
      // Four rows of sixteen bytes, each of which starts one byte later in the same curves.
      const curves = [20, 20, 20, 20, 50, 50, 50, 50, 107, 107, 107, 107, 90, 90, 90, 90];
      for (let row = 0; row < 4; row++) {
        for (let column = 0; column < 16; column++) bytes[at + 47 + row * 16 + column] = curves[row + column] ?? 0;
      }
    }
  });
  return bytes;
}

/** A GLB whose one animation moves `rows` nodes, each with `keys` keys at times of its own. */
export function manyKeys(rows, keys) {
  const times = new Float32Array(rows * keys);
  const values = new Float32Array(keys * 3);
  for (let key = 0; key < keys; key++) {
    values.set([Math.sin(key / 50), Math.cos(key / 70), chance(key) * 0.1], key * 3);
    for (let row = 0; row < rows; row++) times[row * keys + key] = key / 60 + row * 1e-3;
  }
  const ofTimes = (row) => ({
    bufferView: 0,
    byteOffset: row * keys * 4,
    componentType: FLOAT,
    count: keys,
    type: 'SCALAR',
    min: [times[row * keys]],
    max: [times[(row + 1) * keys - 1]],
  });
  const numbers = Array.from({ length: rows }, (_, row) => row);
  return glb(
    {
      scenes: [{ nodes: numbers }],
      nodes: numbers.map((row) => ({ name: `Node ${row}`, translation: [row % 20, 0, Math.floor(row / 20)] })),
      accessors: [{ bufferView: 1, componentType: FLOAT, count: keys, type: 'VEC3' }, ...numbers.map(ofTimes)],
      animations: [
        {
          samplers: numbers.map((row) => ({ input: row + 1, output: 0 })),
          channels: numbers.map((row) => ({ sampler: row, target: { node: row, path: 'translation' } })),
        },
      ],
    },
    [times, values],
  );
}

/** A GLB of a figure with a chain of `joints` joints and a skin of `vertices` vertices, that moves for two seconds. */
export function manyVertices(joints, vertices) {
  const around = 50;
  const rings = vertices / around;
  const [points, normals, weights] = [3, 3, 4].map((width) => new Float32Array(vertices * width));
  const owners = new Uint16Array(vertices * 4);
  const triangles = [];
  for (let vertex = 0; vertex < vertices; vertex++) {
    const [ring, side] = [Math.floor(vertex / around), vertex % around];
    const [angle, joint] = [(side / around) * 2 * Math.PI, (ring / rings) * (joints - 1)];
    points.set([Math.cos(angle) * 0.2, (ring / rings) * 2, Math.sin(angle) * 0.2], vertex * 3);
    normals.set([Math.cos(angle), 0, Math.sin(angle)], vertex * 3);
    const first = Math.floor(joint);
    owners.set([first, Math.min(first + 1, joints - 1), 0, 0], vertex * 4);
    weights.set([1 - (joint - first), joint - first, 0, 0], vertex * 4);
    const next = ring * around + ((side + 1) % around);
    if (ring + 1 < rings) triangles.push(vertex, vertex + around, next, next, vertex + around, next + around);
  }
  const numbers = Array.from({ length: joints }, (_, joint) => joint);
  const step = 2 / (joints - 1);
  const inverses = new Float32Array(numbers.flatMap((joint) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -joint * step, 0, 1]));
  const times = new Float32Array([0, 1, 2]);
  const bend = 0.004;
  const turns = new Float32Array([0, 0, 0, 1, Math.sin(bend), 0, 0, Math.cos(bend), 0, 0, 0, 1]);
  const accessor = (bufferView, componentType, count, type, more = {}) => ({ bufferView, componentType, count, type, ...more });
  return glb(
    {
      scenes: [{ nodes: [joints, 0] }],
      nodes: [
        ...numbers.map((joint) => ({
          name: `Joint ${joint}`,
          translation: [0, joint === 0 ? 0 : step, 0],
          children: joint + 1 < joints ? [joint + 1] : undefined,
        })),
        { name: 'Figure', mesh: 0, skin: 0 },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 4 }] }],
      skins: [{ joints: numbers, inverseBindMatrices: 5 }],
      accessors: [
        accessor(0, FLOAT, vertices, 'VEC3', { min: [-0.2, 0, -0.2], max: [0.2, 2, 0.2] }),
        accessor(1, FLOAT, vertices, 'VEC3'),
        accessor(2, 5123, vertices, 'VEC4'),
        accessor(3, FLOAT, vertices, 'VEC4'),
        accessor(4, 5125, triangles.length, 'SCALAR'),
        accessor(5, FLOAT, joints, 'MAT4'),
        accessor(6, FLOAT, 3, 'SCALAR', { min: [0], max: [2] }),
        accessor(7, FLOAT, 3, 'VEC4'),
      ],
      animations: [
        {
          samplers: [{ input: 6, output: 7 }],
          channels: numbers.map((node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
        },
      ],
    },
    [points, normals, owners, weights, new Uint32Array(triangles), inverses, times, turns],
  );
}

/** A GLB of a document, whose buffer views are `arrays`. */
function glb(document, arrays) {
  const views = [];
  let length = 0;
  for (const array of arrays) {
    views.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
    length += array.byteLength;
  }
  const whole = { asset: { version: '2.0' }, scene: 0, buffers: [{ byteLength: length }], bufferViews: views, ...document };
  const text = Buffer.from(JSON.stringify(whole));
  const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const bin = Buffer.concat(arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)));
  const head = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
  const size = 12 + 8 + json.length + 8 + bin.length;
  return Buffer.concat([head(0x46546c67, 2, size), head(json.length, JSON_CHUNK), json, head(bin.length, BIN_CHUNK), bin]);
}

/** A BVH with so many frames: those of another one over and over. */
export function longBvh(text, count) {
  const [head, frames] = text.split(/(?<=Frame Time:.*\n)/);
  const rows = frames.trim().split('\n');
  const all = Array.from({ length: count }, (_, at) => rows[at % rows.length]);
  return Buffer.from(`${head.replace(/Frames:\s*\d+/, `Frames: ${count}`)}${all.join('\n')}\n`);
}

/** A GLB with all that its first scene shows below one more node, which has a `transform`: a scale, a rotation. */
export function wrapped(glb, transform) {
  const size = glb.readUInt32LE(12);
  const document = JSON.parse(glb.subarray(20, 20 + size));
  const scene = document.scenes[document.scene ?? 0];
  document.nodes.push({ name: 'wrapper', children: scene.nodes, ...transform });
  scene.nodes = [document.nodes.length - 1];
  const text = Buffer.from(JSON.stringify(document));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const rest = glb.subarray(20 + size);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, rest]);
}
