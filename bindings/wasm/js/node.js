import { readFile } from 'node:fs/promises';
import start from './index.js';

export * from './index.js';

/** As in a browser; without `module` it is read from beside this file. */
export default async function init(module) {
  return start(module ?? (await readFile(new URL('native_bg.wasm', import.meta.url))));
}
