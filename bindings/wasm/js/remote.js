// The library as a Worker has it: the same functions, whose answers are waited for.

import { babylonGroup } from './babylon.js';
import { bytesOf, nameOf } from './bytes.js';
import { Calls } from './calls.js';
import { dispose } from './dispose.js';
import { OPERATIONS } from './edits.js';
import { misuse } from './errors.js';
import { firstOf } from './gltf.js';
import { FILE } from './messages.js';
import { playCanvasTrack } from './playcanvas.js';
import { threeClip } from './three.js';

const METHODS = ['info', 'check', 'report', 'toBytes', 'sample', 'convert', 'diff', 'split', 'within', ...Object.keys(OPERATIONS)];
const FUNCTIONS = ['standardModel', 'convert', 'diff', 'formats', 'animationsOf'];

/** A file that a Worker keeps. */
export class WorkerFile {
  #calls;
  #number;

  /** For `library` alone. */
  constructor(calls, { [FILE]: number, name, format }, model) {
    this.#calls = calls;
    this.#number = number;
    /** What it was called when it was opened. */
    this.name = name;
    /** The id of its format. */
    this.format = format;
    /** The model that its motions play on, if one was given. */
    this.model = model;
    abandoned.register(this, { calls, number }, this);
  }

  get #own() {
    if (this.#number === undefined) throw misuse('file: expected a file, found one that was freed');
    return this.#number;
  }

  /** What stands for a value in a message of `calls`, if it cannot stand there itself. */
  static standing(value, calls) {
    if (value instanceof WorkerFile) {
      if (value.#calls !== calls) throw misuse('file: expected a file of this Worker, found one of another Worker');
      return { [FILE]: value.#own };
    }
    if (typeof value?.toBytes === 'function') throw misuse('file: expected a file of this Worker, found one of this page');
    return undefined;
  }

  /** Gives its memory back. It cannot be used after that; doing it twice does nothing. */
  free() {
    if (this.#number === undefined) return;
    abandoned.unregister(this);
    this.#calls.free(this.#number);
    this.#number = undefined;
  }

  [dispose]() {
    this.free();
  }

  static {
    for (const method of METHODS) {
      const asked = async function (...args) {
        const answer = await asking(this.#calls, this.#own, method, args);
        return withFiles(this.#calls, answer, this.model);
      };
      Object.defineProperty(WorkerFile.prototype, method, { value: asked, writable: true, configurable: true });
    }
  }
}

/** Files that nobody holds are freed some time, as those of the page are. */
const abandoned = new FinalizationRegistry(({ calls, number }) => calls.free(number));

function asking(calls, file, name, args, memory) {
  return calls.ask(file, name, args, (value) => WorkerFile.standing(value, calls), memory);
}

/** An answer with the files that it speaks of, which play on a model. */
function withFiles(calls, answer, model) {
  if (Array.isArray(answer)) return answer.map((part) => withFiles(calls, part, model));
  return answer?.[FILE] === undefined ? answer : new WorkerFile(calls, answer, model);
}

/** The library of a Worker that is reached by `port`. `module` is what `init` takes there. */
export function library(port, module) {
  const calls = new Calls(port, { module });
  const ask = async (name, args, memory) => withFiles(calls, await asking(calls, undefined, name, args, memory));
  const functions = FUNCTIONS.map((name) => [name, (...args) => ask(name, args)]);
  const { animationsOf, ...others } = Object.fromEntries(functions);

  /** Reads a file by `open` or `wants`. */
  const read = async (name, input, { transfer = false, ...options }) => {
    const memory = new Set();
    const source = await sent(input, transfer, memory);
    const resources = {};
    for (const [path, file] of Object.entries(options.resources ?? {})) resources[path] = await sent(file, transfer, memory);
    const args = [source, { name: nameOf(input), ...options, ...(options.resources && { resources }) }];
    const answer = await asking(calls, undefined, name, args, [...memory]);
    return withFiles(calls, answer, options.model);
  };
  const terminate = () => calls.terminate();

  return {
    ...others,
    animationsOf,
    open: (input, options = {}) => read('open', input, options),
    wants: (input, options = {}) => read('wants', input, options),
    toThreeAnimationClip: async (file, three, { root, ...options } = {}) =>
      threeClip(firstOf(file, await animationsOf(file, options)), three, { root }),
    toBabylonAnimationGroup: async (file, babylon, { scene, target, ...options } = {}) =>
      babylonGroup(firstOf(file, await animationsOf(file, options)), babylon, { scene, target }),
    toPlayCanvasAnimTrack: async (file, pc, { root, ...options } = {}) =>
      playCanvasTrack(firstOf(file, await animationsOf(file, options)), pc, { root }),
    terminate,
    [dispose]: terminate,
  };
}

/**
 * A source as a message takes it. A blob is as it is; of anything else the bytes are handed over by way of `memory`: those of the
 * caller if he wants that, or a copy.
 */
async function sent(input, transfer, memory) {
  if (typeof Blob !== 'undefined' && input instanceof Blob) return input;
  const bytes = await bytesOf(input);
  const isOurs = typeof Response !== 'undefined' && input instanceof Response;
  const own = (isOurs || transfer) && bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes);
  memory.add(own.buffer);
  return own;
}
