// Reading, writing back, faults, values: the same fixtures and the same expectations as the tests of the crates.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { before, test } from 'node:test';
import init, { DopesheetError, convert, diff, formats, open, standardModel, wants } from 'dopesheet';
import { ROOT, corpus, fixtures, json, noCorpus, sample } from './lib/files.mjs';

before(() => init());

/** Opens a file with those beside it that it names. */
async function openAt(path, options = {}) {
  const [bytes, name] = [readFileSync(path), basename(path)];
  const resources = {};
  for (const wanted of await wants(bytes, { name, ...options })) {
    try {
      resources[wanted] = readFileSync(join(dirname(path), wanted));
    } catch {
      // It is told by check.
    }
  }
  return open(bytes, { name, resources, ...options });
}

const caught = (promise) => promise.then(assert.fail, (error) => error);

test('every sound fixture is written back byte for byte', async () => {
  let [seen, pickles, readOnly] = [0, 0, 0];
  for (const path of [...fixtures('valid'), ...fixtures('quirk')]) {
    const file = await openAt(path).catch((error) => {
      if (/found a pickle, which this build leaves out$/.test(error.message)) return void (pickles += 1);
      assert.ok(error instanceof DopesheetError && path.includes('quirk'), `${path}: ${error}`);
    });
    if (file === undefined) continue;
    if (file.format === 'fbx') {
      assert.throws(() => file.toBytes(), { code: 'fbx-read-only' }, path);
      readOnly += 1;
    } else {
      assert.deepEqual(Buffer.from(file.toBytes()), readFileSync(path), path);
      seen += 1;
    }
    file.free();
  }
  assert.ok(seen >= 60 && readOnly >= 20, `${seen} ${readOnly}`);
  assert.equal(pickles, 3);
});

test('a format that the package lacks is refused by its name', async () => {
  const error = await caught(openAt(join(ROOT, 'samples/pinch.json')));
  assert.equal(error.code, 'not-built');
  assert.match(error.message, /found WebXR recording of IWER \(JSON\)$/);
});

test('FBX is read, with its takes, its skin and its morphs', async () => {
  const [binary, text] = ['chain', 'chain-text'].map((name) => join(ROOT, `formats/fbx/src/fbx/fixtures/valid/${name}.fbx`));
  const file = await openAt(binary);
  const { format, version, clips } = file.info();
  assert.deepEqual([format, version, clips.map(({ name }) => name)], ['fbx', '7.4', ['Walk', 'Jump']]);
  const { data } = file.convert({ to: 'glb' });
  assert.equal(diff(file, await open(data, { name: 'chain.glb' })).within_tolerance, true);
  assert.deepEqual((await openAt(text)).convert({ to: 'glb' }).data, data);
  const face = await openAt(join(ROOT, 'formats/fbx/src/fbx/fixtures/valid/face.fbx'));
  assert.ok(face.info().parts.meshes > 0);
  assert.ok((await open(face.convert({ to: 'glb' }).data, { name: 'face.glb' })).info().parts.meshes > 0);
});

test('every damaged fixture is refused with its place', async () => {
  let [seen, refused] = [0, 0];
  for (const path of fixtures('invalid')) {
    seen += 1;
    try {
      const file = await openAt(path);
      assert.ok(file.check().findings.length > 0, path);
      file.free();
    } catch (error) {
      assert.ok(error instanceof DopesheetError, `${path}: ${error.stack}`);
      assert.ok(error.code && error.code !== 'internal' && error.expected && error.found, path);
      assert.ok(error.message.includes(`expected ${error.expected}, found ${error.found}`), error.message);
      refused += 1;
    }
  }
  assert.ok(seen >= 60 && refused >= 30, `${seen} ${refused}`);
});

test('a fault of a binary file has an offset, one of a text a line, a column and a pointer', async () => {
  const cut = await caught(open(sample('bow.vmd').subarray(0, 1000), { name: 'cut.vmd' }));
  const { format, code, offset, path, line, expected, found, message } = cut;
  assert.deepEqual([format, code, offset, path, line], ['vmd', 'mmd-count', 0x32, 'bone keys count', undefined]);
  assert.equal(expected, 'at most 8 records (946 bytes left, 111 each)');
  assert.equal(found, '69');
  assert.ok(message.startsWith('vmd: byte 0x32 (bone keys count): expected at most 8 records'), message);
  const text = '{"animation":{"version":4,"name":"x","duration":1,\n"nodes":[{"name":"a","keys":{}}]}}';
  const wrong = await caught(open(new Blob([text]), { name: 'x.json' }));
  assert.deepEqual([wrong.format, wrong.line, wrong.pointer], ['playcanvas', 2, '/animation/nodes/0/keys']);
  assert.ok(wrong.column > 0 && wrong.offset === undefined);
});

test('bytes come as buffers, views, blobs and responses', async () => {
  const bytes = sample('walk.vmd');
  const whole = new Uint8Array(bytes).buffer;
  const shared = new SharedArrayBuffer(whole.byteLength);
  new Uint8Array(shared).set(bytes);
  const inputs = [bytes, whole, shared, new DataView(whole), new Blob([bytes]), new Response(bytes)];
  for (const input of inputs) {
    const file = await open(input, { name: 'walk.vmd' });
    assert.equal(file.format, 'vmd');
    assert.deepEqual(Buffer.from(file.toBytes()), bytes);
    file[Symbol.dispose]();
    assert.throws(() => file.toBytes(), { code: 'usage' });
  }
  assert.equal((await open(new globalThis.File([bytes], 'walk.vmd'))).name, 'walk.vmd');
  for (const wrong of [undefined, null, 'walk.vmd', 7, {}, new Response(bytes, { status: 404 })]) {
    const error = await caught(open(wrong));
    assert.ok(error instanceof DopesheetError && error.code === 'usage', String(error));
  }
});

/** A triangle and its morph, whose numbers along some axes are 0 and -0 in both orders, with a clip of the morph's weight. */
const BOTH_ZEROS = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }] }],
  animations: [{ channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }], samplers: [{ input: 2, output: 3 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    { bufferView: 0, byteOffset: 36, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] },
    { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 1, byteOffset: 8, componentType: 5126, count: 2, type: 'SCALAR' },
  ],
  bufferViews: [{ buffer: 0, byteLength: 72, target: 34962 }, { buffer: 0, byteOffset: 72, byteLength: 16 }],
  buffers: [
    {
      byteLength: 88,
      uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAACAAACAPwAAAAAAAAAAAAAAgAAAgD8AAAAAAAAAAAAAAIAAAAAAAAAAgAAAAAAAAAAAAAAAgAAAAAAAAACAAAAAAAAAgD8AAAAAAACAPw==',
    },
  ],
};

test('bounds of 0 and -0 are 0, as those of the command are', async () => {
  const file = await open(Buffer.from(JSON.stringify(BOTH_ZEROS)), { name: 'zeros.gltf' });
  const gltf = convert([file], { fileName: 'again.gltf', range: '0:1' });
  const { accessors } = JSON.parse(Buffer.from(gltf.data).toString());
  const bounds = accessors.flatMap(({ min = [], max = [] }) => [...min, ...max]);
  assert.ok(bounds.length >= 12 && bounds.every((bound) => !Object.is(bound, -0)), JSON.stringify(accessors));
});

test('info, check, sample, convert and diff answer as the command does', async () => {
  const file = await open(sample('bow.vmd'), { name: 'bow.vmd' });
  const info = file.info();
  assert.deepEqual([info.format, info.nodes, info.clips[0].tracks, info.clips[0].keys], ['vmd', 13, 21, 159]);
  assert.equal(file.check().findings.length, 0);
  assert.equal(file.info({ vocabulary: 'cmu' }).humanoid, null);
  assert.throws(() => file.info({ vocabulary: 'klingon' }), { code: 'usage' });
  // As in the README.
  const head = file.sample({ axes: 'gltf', times: [1.5] }).tracks.find(({ target }) => target === '頭');
  assert.ok(head.channels.rotation.values instanceof Float64Array);
  assert.deepEqual([...head.channels.rotation.values], [0.14651113242897784, 0, 0, 0.9892090214279176]);
  const { data, report, format, resources } = file.convert({ to: 'glb' });
  assert.ok(data instanceof Uint8Array && format === 'glb' && Object.keys(resources).length === 0);
  assert.ok(report.approximated.some(({ what }) => what.startsWith('rotation')));
  const glb = await open(data, { name: 'bow.glb' });
  assert.equal(diff(file, glb).within_tolerance, true);
  const rough = await open(file.convert({ to: 'glb', bake: 5 }).data, { name: 'rough.glb' });
  assert.equal(diff(file, rough).within_tolerance, false);
  const gltf = convert([file], { fileName: 'bow.gltf' });
  assert.deepEqual(Object.keys(gltf.resources), ['bow.bin']);
  assert.ok(formats().some(({ id, writes }) => id === 'vrma' && writes));
});

test('a motion is put onto another figure as the command does it', async () => {
  const [jump, character] = [await open(sample('jump.bvh'), { name: 'jump.bvh' }), await open(sample('character.glb'), { name: 'character.glb' })];
  const whole = jump.convert({ onto: character });
  assert.equal(whole.format, 'glb');
  assert.ok(whole.report.kept.some((what) => what.startsWith('hip translation scaled')));
  const figure = await open(whole.data, { name: 'whole.glb' });
  assert.equal(figure.info().clips.length, character.info().clips.length + 1);
  const alone = await open(jump.convert({ to: 'glb', onto: character, motionOnly: true }).data, { name: 'alone.glb' });
  assert.deepEqual([alone.info().clips.length, alone.info().parts.meshes ?? 0], [1, 0]);
  const hand = (file, options) => {
    const { tracks } = file.sample({ times: [1], axes: 'gltf', space: 'model', ...options });
    return tracks.find(({ target }) => target === 'RightHand').channels.translation.values;
  };
  const wanted = hand(alone);
  hand(jump, { onto: character }).forEach((value, axis) => assert.ok(Math.abs(value - wanted[axis]) < 1e-3));
  const told = jump.convert({ onto: character, vocabulary: 'mixamo:mixamo' });
  assert.deepEqual(told.data, whole.data);
  assert.notDeepEqual(jump.convert({ onto: character, contacts: 'off' }).data, whole.data);
  assert.deepEqual(jump.convert({ onto: character, contacts: 'feet' }).data, whole.data);
  assert.ok(jump.convert({ onto: character, raise: '3cm' }).report.kept.includes('the figure raised by 3 cm'));
  for (const [options, words] of [
    [{ onto: character, contacts: 'hands' }, /convert: contacts: expected one of feet, all, off, found "hands"/],
    [{ onto: character, floor: 'sea' }, /convert: floor: expected one of auto, stands, origin, keep, found "sea"/],
    [{ onto: character, raise: 3 }, /convert: raise: expected a length from -1000m to 1000m, in mm, cm or m, such as 3cm or -2cm, found "3"/],
    [{ onto: character, vocabulary: 'klingon' }, /expected a vocabulary \(mmd, .*\), found "klingon"/],
    [{ to: 'glb', motionOnly: true }, /convert: motionOnly: expected the figure that it is about, with onto/],
    [{ onto: jump, into: character }, /takes the motion/],
  ]) {
    assert.throws(() => jump.convert(options), words);
  }
});

test('motions play on a model, and models may be freed before their files', async () => {
  const model = standardModel();
  const file = await open(sample('bow.vmd'), { name: 'bow.vmd', model });
  assert.equal(file.info().binding.unbound.length, 0);
  const figure = file.sample({ times: [2], space: 'model', axes: 'gltf' });
  assert.ok(figure.tracks.length > 90);
  assert.ok(file.convert({ to: 'glb' }).data.length > 100_000);
  model.free();
  assert.throws(() => file.info(), { name: 'DopesheetError', code: 'usage' });
  assert.equal(file.info({ model: standardModel() }).binding.unbound.length, 0);
});

test('options that make no sense are told by name', async () => {
  const file = await open(sample('walk.vmd'), { name: 'walk.vmd' });
  for (const [work, words] of [
    [() => file.sample({ fsp: 30 }), /unknown field `fsp`/],
    [() => file.sample({ fps: 30, times: [0] }), /times, frames, fps and range exclude each other/],
    [() => file.sample({ axes: 'blender' }), /unknown variant `blender`, expected `native` or `gltf`/],
    [() => file.convert({ to: 'fax' }), /expected a format \(vmd, .*\), found "fax"/],
    [() => file.convert({}), /no format to write/],
    [() => file.convert({ to: 'glb', tolerance: 'much' }), /much/],
    [() => file.convert({ to: 'glb', clip: 'nobody' }), /nobody/],
    [() => file.diff({}), /expected a File that open\(\) made/],
  ]) {
    assert.throws(work, (error) => error instanceof DopesheetError && error.code === 'usage' && words.test(error.message));
  }
});

test('a file that was freed says so, and memory comes back', async () => {
  const file = await open(sample('walk.vmd'), { name: 'walk.vmd' });
  file.free();
  file.free();
  assert.throws(() => file.info(), { code: 'usage', message: 'file: expected a file, found one that was freed' });
  const native = await import(new URL('native.js', import.meta.resolve('dopesheet')));
  const { memory } = await native.default();
  const rounds = async (count) => {
    for (let i = 0; i < count; i++) {
      const again = await open(sample('walk.vmd'), { name: 'walk.vmd' });
      again.convert({ to: 'glb' });
      again.sample({ fps: 60 });
      again.free();
    }
  };
  await rounds(20);
  const before = memory.buffer.byteLength;
  await rounds(100);
  assert.equal(memory.buffer.byteLength, before);
});

test('damaged bytes end in an answer or an error, never in a panic', async () => {
  const names = ['bow.vmd', 'door.json', 'hands.bin', 'jump.bvh', 'character.glb'];
  let [state, seen] = [1, 0];
  const random = (end) => (state = (state * 48271) % 2147483647) % end;
  for (const name of names) {
    const bytes = sample(name);
    for (let round = 0; round < 60; round++) {
      const changed = Uint8Array.from(bytes.subarray(0, random(2) === 0 ? bytes.length : random(bytes.length)));
      for (let i = 0; i < 3 && changed.length > 0; i++) changed[random(changed.length)] = random(256);
      try {
        const file = await open(changed, { name });
        file.check();
        file.convert({ to: 'glb' });
        file.free();
      } catch (error) {
        assert.ok(error instanceof DopesheetError && error.code !== 'internal', `${name} ${round}: ${error.stack}`);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 50, `${seen} of ${60 * names.length} were refused`);
});

/** The angle between two rotations. */
function angle(a, b) {
  const unit = (q) => q.map((x) => x / Math.hypot(...q));
  const [p, q] = [unit(a), unit(b)];
  const apart = (sign) => Math.hypot(...p.map((x, i) => x - sign * q[i]));
  return 4 * Math.asin(Math.min(Math.min(apart(1), apart(-1)) / 2, 1));
}

test('glTF files of others play as in three.js', { skip: noCorpus }, async () => {
  let [files, compared] = [0, 0];
  for (const entry of json(corpus('gltf', 'manifest.json')).files) {
    const file = await openAt(corpus('gltf', entry.file));
    files += 1;
    const bound = entry.file.includes('normalized') ? 3e-3 : 2e-4;
    for (const [number, animation] of (entry.animations ?? []).entries()) {
      const { tracks } = file.sample({ times: animation.times, clip: number });
      for (const { node, path, values } of animation.channels) {
        if (node === undefined || !['translation', 'rotation', 'scale', 'weights'].includes(path)) continue;
        const { width, values: found } = tracks.find((t) => t.index === node && path in t.channels).channels[path];
        values.flat().length === found.length || assert.fail(`${entry.file}: ${found.length} numbers`);
        const expected = values.flat();
        for (let row = 0; row < found.length; row += width) {
          const [a, b] = [[...found.subarray(row, row + width)], expected.slice(row, row + width)];
          if (path === 'rotation') assert.ok(angle(a, b) <= bound, `${entry.file} ${node} ${path}`);
          else a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) <= 1e-5 * Math.max(1, Math.abs(b[i])), entry.file));
        }
        compared += 1;
      }
    }
    file.free();
  }
  assert.ok(files >= 6 && compared >= 12, `${files} ${compared}`);
});

test('motions of others are read, and converted as tightly as promised', { skip: noCorpus }, async () => {
  for (const name of ['walk.vmd', 'run.vmd']) {
    const file = await openAt(corpus('mmd', 'vmd', name));
    const glb = await open(file.convert({ to: 'glb' }).data, { name: 'x.glb' });
    assert.equal(file.diff(glb).within_tolerance, true, name);
  }
});
