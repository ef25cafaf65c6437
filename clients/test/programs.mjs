// Runs the programs as people do: a process, arguments, stdin, stdout, exit status.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The command: the one that DOPESHEET names, else one that was built here. */
export const command = [process.env.DOPESHEET, ...['release', 'debug'].map((folder) => join(ROOT, 'target', folder, 'dopesheet'))].find(
  (path) => path && existsSync(path),
);

/** The reason to skip a test for want of something, which CI never does; `false` of nothing. */
export const skipFor = (missing) => (missing && process.env.CI !== 'true' ? `SKIPPED for want of ${missing}` : false);

/** What is missing where the command is. */
export const NO_COMMAND = !command && 'the command dopesheet (DOPESHEET may name it)';

/** Runs `name` with `args`, `jobs` as JSON Lines on stdin (or a string as it is); returns its status and lines. */
export function program(name, args = [], jobs = []) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const input = typeof jobs === 'string' ? jobs : jobs.map((job) => JSON.stringify(job) + '\n').join('');
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { input, maxBuffer: 2 ** 28 });
  const lines = String(stdout)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { status, lines, stderr: String(stderr) };
}

/** A folder that is gone after the tests; returns a function that puts a file there and says where it is. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'dopesheet-clients-'));
  after(() => rmSync(folder, { recursive: true }));
  return (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
}
