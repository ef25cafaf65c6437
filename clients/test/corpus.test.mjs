// Holds the programs against the corpus: its manifest was made with the same validator and the same three.js, so
// they must say the same again. Needs DOPESHEET_CORPUS, the folder that has `gltf/manifest.json`.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program } from './programs.mjs';

const CORPUS = process.env.DOPESHEET_CORPUS;
const SKIPPED = 'SKIPPED: DOPESHEET_CORPUS is not set, so nothing was held against the glTF corpus';
if (!CORPUS) process.stderr.write(`\n*** ${SKIPPED} ***\n\n`);

const FILES = 6;
const BAD_FILES = 18;
const VALUES = 525;

test('the glTF corpus', { skip: CORPUS ? false : SKIPPED }, async (t) => {
  const folder = join(CORPUS, 'gltf');
  const { files, bad } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const path = ({ file }) => join(folder, file);

  await t.test('is all there', () => {
    const onDisk = (name) => readdirSync(join(folder, name)).filter((file) => /\.gl(b|tf)$/.test(file)).length;
    assert.deepEqual([files.length, onDisk('.')], [FILES, FILES]);
    assert.deepEqual([bad.length, onDisk('bad')], [BAD_FILES, BAD_FILES]);
  });

  await t.test('good files get the messages of the manifest and no others', () => {
    const { status, lines } = program('validate.mjs', files.map(path));
    assert.equal(status, 0);
    assert.equal(lines.length, FILES);
    lines.forEach(({ errors, warnings, messages }, i) => {
      const { validator } = files[i];
      assert.deepEqual([errors, warnings], [validator.errors, validator.warnings]);
      assert.deepEqual(
        messages.map(({ code, severity, pointer }) => ({ code, severity, pointer })),
        validator.messages,
      );
    });
  });

  await t.test('bad files get the error codes of the manifest', () => {
    const { status, lines } = program('validate.mjs', ['--codes', ...bad.map(path)]);
    assert.equal(status, 1);
    assert.equal(lines.length, BAD_FILES);
    lines.forEach(({ file, codes }, i) => {
      const errors = Object.keys(codes).filter((code) => codes[code] === 'error');
      assert.deepEqual(errors.sort(), [...bad[i].codes].sort(), file);
      assert.ok(
        bad[i].required.every((code) => errors.includes(code)),
        file,
      );
    });
  });

  await t.test('bad files load or fail in three.js as the manifest says', () => {
    const { lines } = program(
      'three-play.mjs',
      [],
      bad.map((entry) => ({ glb: path(entry), clip: 0, times_s: [0] })),
    );
    assert.equal(lines.length, BAD_FILES);
    lines.forEach(({ glb, error }, i) => {
      const [verdict, kind] = bad[i].three.split(' ');
      if (verdict === 'loads') assert.equal(error, undefined, glb);
      else assert.ok(error?.startsWith(`${kind}:`), `${glb}: ${error}`);
    });
  });

  await t.test('three.js plays the values of the manifest', () => {
    const jobs = files.flatMap((entry) =>
      entry.animations.map((animation, clip) => ({ glb: path(entry), clip, times_s: animation.times, animation })),
    );
    const { status, lines } = program('three-play.mjs', [], jobs);
    assert.equal(status, 0);
    let values = 0;
    lines.forEach(({ glb, duration_s, nodes }, i) => {
      const { animation } = jobs[i];
      assert.ok(Math.abs(duration_s - animation.duration) < 1e-6, glb);
      for (const channel of animation.channels) {
        const found = nodes.find(({ index }) => index === channel.node)[channel.path];
        assert.equal(found.length, channel.values.length);
        found.forEach((value, k) =>
          assertClose(value, channel.values[k], `${glb} node ${channel.node} ${channel.path} ${k}`),
        );
        values += found.length;
      }
    });
    assert.equal(values, VALUES);
  });

  await t.test('a sample made of the values of the manifest agrees with three.js', () => {
    const jobs = files.flatMap((entry) =>
      entry.animations.map((animation, clip) => {
        const nodes = animation.channels.map(({ node, path, values }) => ({
          target: `${node}`,
          index: node,
          channels: { [path]: values },
        }));
        const pointers = (animation.pointers ?? []).map(({ pointer, values }) => ({
          target: pointer,
          index: 0,
          channels: { value: values },
        }));
        return { glb: path(entry), clip, sample: { times_s: animation.times, tracks: [...nodes, ...pointers] } };
      }),
    );
    const { status, lines } = program('compare.mjs', ['three'], jobs);
    assert.equal(status, 0, JSON.stringify(lines.filter(({ agrees }) => !agrees)));
    assert.equal(
      lines.reduce((sum, line) => sum + line.values, 0),
      VALUES,
    );
    assert.equal(
      lines.reduce((sum, line) => sum + line.not_compared.length, 0),
      3,
    );
  });
});

function assertClose(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= 1e-6, `${what}: ${found} is not ${expected}`));
}
