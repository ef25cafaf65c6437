// What validate.mjs promises, on files built here: no corpus needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program, scratch } from './programs.mjs';
import { tinyGlb } from './tiny-glb.mjs';

const put = scratch();
const MOVE = { node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 2, 3] };
const GOOD = tinyGlb({ nodes: [{ name: 'a' }], animations: [{ channels: [MOVE] }] });
const TWICE = tinyGlb({ nodes: [{ name: 'a' }], animations: [{ channels: [MOVE, MOVE] }] });

function gltfWithBuffer(uri) {
  return JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri, byteLength: 4 }] });
}

test('a clean file is exit 0 and counts its infos', () => {
  const { status, lines } = program('validate.mjs', [put('good.glb', GOOD)]);
  assert.equal(status, 0);
  assert.equal(lines.length, 1);
  const { errors, warnings, infos, hints, messages } = lines[0];
  assert.deepEqual([errors, warnings, infos, hints], [0, 0, 1, 0]);
  assert.deepEqual(messages, [
    { code: 'NODE_EMPTY', severity: 'info', pointer: '/nodes/0', message: 'Empty node encountered.' },
  ]);
});

test('an error is exit 1 with code, severity and pointer, and the other files are still judged', () => {
  const files = [put('twice.glb', TWICE), put('good.glb', GOOD)];
  const { status, lines } = program('validate.mjs', files);
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map(({ file, errors }) => [file, errors]),
    [
      [files[0], 1],
      [files[1], 0],
    ],
  );
  const [error] = lines[0].messages.filter(({ severity }) => severity === 'error');
  assert.equal(error.code, 'ANIMATION_DUPLICATE_TARGETS');
  assert.equal(error.pointer, '/animations/0/channels/0/target');
});

test('a warning alone is exit 1', () => {
  const { status, lines } = program('validate.mjs', [
    '--codes',
    put('extra.glb', Buffer.concat([GOOD, Buffer.from('more')])),
  ]);
  assert.equal(status, 1);
  assert.equal(lines[0].errors, 0);
  assert.deepEqual(lines[0].codes, { GLB_EXTRA_DATA: 'warning', NODE_EMPTY: 'info' });
});

test('resources are taken from the folder of the file, by their percent-decoded name', () => {
  put('a b あ.bin', Buffer.alloc(4));
  const { lines } = program('validate.mjs', ['--codes', put('spaced.gltf', gltfWithBuffer('a%20b%20%E3%81%82.bin'))]);
  assert.deepEqual(lines[0].codes, { UNUSED_OBJECT: 'info' });
});

test('a resource that is missing or outside the folder is an error', () => {
  for (const uri of ['none.bin', '../etc.bin', '%2e%2e/etc.bin', '/etc/hostname', 'file:///etc/hostname']) {
    const { status, lines } = program('validate.mjs', ['--codes', put('outside.gltf', gltfWithBuffer(uri))]);
    assert.equal(status, 1, uri);
    assert.equal(lines[0].codes.IO_ERROR, 'error', uri);
  }
});

test('a file that cannot be read or is not glTF is one error, and the others are still judged', () => {
  const { status, lines } = program('validate.mjs', [
    '--codes',
    'no such file',
    put('empty', ''),
    put('good.glb', GOOD),
  ]);
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map(({ codes }) => Object.keys(codes)),
    [['IO_ERROR'], ['NOT_GLTF'], ['NODE_EMPTY']],
  );
});

test('hundreds of files go through one process', () => {
  const files = Array.from({ length: 400 }, (_, i) => put(`many-${i}.glb`, GOOD));
  const { status, lines } = program('validate.mjs', files);
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map(({ file }) => file),
    files,
  );
});

test('wrong usage is exit 2 with the usage on stderr', () => {
  for (const args of [[], ['--nonsense', 'x.glb']]) {
    const { status, lines, stderr } = program('validate.mjs', args);
    assert.equal(status, 2);
    assert.equal(lines.length, 0);
    assert.match(stderr, /^usage: /m);
  }
});
