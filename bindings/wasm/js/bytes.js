import { misuse } from './errors.js';

/** The bytes of anything that holds some. */
export async function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || isShared(input)) return new Uint8Array(input);
  if (typeof Blob !== 'undefined' && input instanceof Blob) return new Uint8Array(await input.arrayBuffer());
  if (typeof Response !== 'undefined' && input instanceof Response) {
    if (!input.ok) throw misuse(`${input.url || 'response'}: expected a file, found status ${input.status}`);
    return new Uint8Array(await input.arrayBuffer());
  }
  throw misuse(`expected an ArrayBuffer, a typed array, a Blob or a Response, found ${describe(input)}`);
}

/** What a file is called, if it says so: the name of a File, the last part of a Response's address. */
export function nameOf(input) {
  if (typeof input?.name === 'string') return input.name;
  if (typeof input?.url !== 'string' || input.url === '') return '';
  const path = input.url.split(/[?#]/)[0];
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function isShared(input) {
  return typeof SharedArrayBuffer !== 'undefined' && input instanceof SharedArrayBuffer;
}

function describe(input) {
  if (input === null || input === undefined) return String(input);
  return typeof input === 'object' ? (input.constructor?.name ?? 'an object') : `a ${typeof input}`;
}
