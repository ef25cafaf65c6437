// The manners all three programs share: jobs come in as JSON Lines, answers go out as JSON Lines, and the
// exit status is 0 (good), 1 (something failed or disagreed) or 2 (wrong usage).

import { createInterface } from 'node:readline';

/** Wrong usage: the message is for the person who typed the command, without a stack. */
export class UsageError extends Error {}

/** Prints one value as one line of JSON on stdout. */
export function print(value) {
  process.stdout.write(JSON.stringify(value) + '\n');
}

/** Yields the JSON objects on stdin, one per line; refuses a line that is not one and an empty input. */
export async function* jobsFromStdin() {
  let line = 0;
  let jobs = 0;
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    jobs += 1;
    yield parseJob(text, line);
  }
  if (jobs === 0) throw new UsageError('no jobs on stdin: expected one JSON object per line');
}

function parseJob(text, line) {
  let job;
  try {
    job = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`stdin line ${line}: ${error.message}`);
  }
  if (typeof job?.glb !== 'string') throw new UsageError(`stdin line ${line}: expected an object with "glb"`);
  return job;
}

/**
 * Runs `main`, which resolves to true when all is well, and sets the exit status from it.
 * Never calls `process.exit`: that would cut off what a pipe has not taken yet.
 */
export async function run(usage, main) {
  // stdout carries only JSON: what libraries chat goes to stderr.
  console.log = console.info = console.debug = console.error;
  try {
    process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nusage: ${usage}\n`);
    process.exitCode = 2;
  }
}
