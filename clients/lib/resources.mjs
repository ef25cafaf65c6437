// Where a glTF file's own resources (.bin buffers, images) are looked for: in the file's folder and below.

import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, isAbsolute } from 'node:path';

/** The path of the resource that `file` names by `uri`; refuses schemes, absolute paths and `..` escapes. */
export function resourcePath(file, uri) {
  const name = decodeURIComponent(uri);
  const folder = resolve(dirname(file));
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  if (/^[a-z][a-z0-9+.-]*:/i.test(name) || isAbsolute(name) || inside === '' || inside.split(/[\\/]/)[0] === '..') {
    throw new Error(`resource outside the folder of the file: ${uri}`);
  }
  return path;
}

/** The bytes of the resource that `file` names by `uri`. */
export async function readResource(file, uri) {
  return readFile(resourcePath(file, uri));
}
