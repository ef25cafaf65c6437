// Where files are: those of the checkout, and those of other people.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = process.env.DOPESHEET_ROOT ?? new URL('../../../..', import.meta.url).pathname;

export const sample = (name) => readFileSync(join(ROOT, 'samples', name));

/** The room that is not in the package: recordings of WebXR are left out for their size. */
const ELSEWHERE = '/iwer/';

/** The fixtures of a kind (valid, invalid, quirk) of all rooms that are in the package. */
export function fixtures(kind) {
  const all = readdirSync(join(ROOT, 'formats'), { recursive: true }).map(String);
  const named = (path, part) => path.replaceAll('\\', '/').includes(part);
  const isThere = (path) => !named(path, ELSEWHERE);
  const found = all.filter((path) => named(path, `/fixtures/${kind}/`) && isThere(path));
  const paths = found.map((path) => join(ROOT, 'formats', path)).sort();
  return paths.filter((path) => statSync(path).isFile() && !/\.(md|snap)$/.test(path));
}

const corpusRoot = process.env.DOPESHEET_CORPUS ?? join(ROOT, '../shared/corpus');

/** Why tests of files of other people are left out, if so. In CI they are not. */
export const noCorpus = existsSync(corpusRoot) || process.env.CI === 'true' ? false : `SKIPPED: no corpus at ${corpusRoot}`;

export function corpus(...names) {
  const path = join(corpusRoot, ...names);
  assert.ok(existsSync(path), `no ${path}`);
  return path;
}

export const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
