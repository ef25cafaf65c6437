#!/usr/bin/env node
// Runs the Khronos glTF validator on files, because "zero errors and zero warnings" is part of what we promise
// about every glTF we write. One process takes hundreds of files: starting node costs more than validating.

import { parseArgs } from 'node:util';
import { UsageError, print, run } from './lib/json-lines.mjs';
import { codesOnly, validate } from './lib/validator.mjs';

run('validate.mjs [--codes] FILE...', async (args) => {
  const { files, codes } = parseCommandLine(args);
  let clean = true;
  for (const file of files) {
    const judgement = await validate(file);
    clean &&= judgement.errors === 0 && judgement.warnings === 0;
    print(codes ? codesOnly(judgement) : judgement);
  }
  return clean;
});

function parseCommandLine(args) {
  let parsed;
  try {
    parsed = parseArgs({ args, options: { codes: { type: 'boolean', default: false } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
  if (parsed.positionals.length === 0) throw new UsageError('no files');
  return { files: parsed.positionals, codes: parsed.values.codes };
}
