// The judgement of the Khronos validator on one file, in the shape our tests compare with.

import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';
import { readResource } from './resources.mjs';

const SEVERITIES = ['error', 'warning', 'info', 'hint'];

/**
 * Validates the GLB or glTF at `file`, with everything its URIs name.
 * A file that cannot be read is one error with the validator's code for that, `IO_ERROR`; one that it does not even
 * take for glTF makes it reject with a bare string, which becomes our own `NOT_GLTF`.
 */
export async function validate(file) {
  let report;
  try {
    report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
      uri: file,
      maxIssues: 0,
      writeTimestamp: false,
      externalResourceFunction: async (uri) => new Uint8Array(await readResource(file, uri)),
    });
  } catch (error) {
    const unrecognised = typeof error === 'string';
    const code = unrecognised ? 'NOT_GLTF' : 'IO_ERROR';
    const message = unrecognised ? error : error.message;
    return { file, errors: 1, warnings: 0, infos: 0, hints: 0, messages: [{ code, severity: 'error', message }] };
  }
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  return {
    file,
    errors: numErrors,
    warnings: numWarnings,
    infos: numInfos,
    hints: numHints,
    // Faults of the JSON have a `pointer`, faults of the container a byte `offset`.
    messages: messages.map(({ code, severity, pointer, offset, message }) => ({
      code,
      severity: SEVERITIES[severity],
      pointer,
      offset,
      message,
    })),
  };
}

/** The same judgement with only the severity of each code that occurs, sorted by code. */
export function codesOnly({ messages, ...counts }) {
  const codes = messages.map(({ code, severity }) => [code, severity]);
  return { ...counts, codes: Object.fromEntries(codes.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
