// The programs are oracles, so which version spoke must be known, and anyone must be able to install it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

test('every dependency is pinned, hashed, and tied to no registry', () => {
  const { dependencies } = read('package.json');
  const { '': root, ...installed } = read('package-lock.json').packages;
  assert.deepEqual(root.dependencies, dependencies);
  assert.equal(Object.keys(installed).length, Object.keys(dependencies).length);
  for (const [path, entry] of Object.entries(installed)) {
    assert.equal(dependencies[path.replace('node_modules/', '')], entry.version, path);
    assert.match(entry.integrity, /^sha512-/, path);
    assert.equal(entry.resolved, undefined, path);
  }
});
