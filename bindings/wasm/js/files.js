import * as native from './native.js';
import { bytesOf, nameOf } from './bytes.js';
import { dispose } from './dispose.js';
import { OPERATIONS, described, named } from './edits.js';
import { guarded, misuse } from './errors.js';

/** A file that has been read, and perhaps edited. */
export class File {
  #document;
  #model;

  /** For `open` alone. */
  constructor(document, model) {
    this.#document = document;
    this.#model = model;
  }

  static #of(file, what) {
    if (!(file instanceof File)) throw misuse(`${what}: expected a File that open() made, found ${typeof file}`);
    if (file.#document === undefined) throw misuse(`${what}: expected a file, found one that was freed`);
    return file.#document;
  }

  /** A copy for a call that takes it over; `undefined` stays that. */
  static #shared(file, what) {
    return file === undefined || file === null ? undefined : File.#of(file, what).share();
  }

  get #own() {
    return File.#of(this, 'file');
  }

  /** What it was called when it was opened. */
  get name() {
    return guarded(() => this.#own.name);
  }

  /** The id of its format. */
  get format() {
    return guarded(() => this.#own.format);
  }

  /** The model that its motions play on, if one was given. */
  get model() {
    return this.#model;
  }

  /** What is in it; with a model also how it fits that. */
  info({ model = this.#model, ...options } = {}) {
    return guarded(() => JSON.parse(this.#own.info(text(options), File.#shared(model, 'model'))));
  }

  /** What is wrong with it, and what is remarkable. */
  check({ model = this.#model, ...options } = {}) {
    return guarded(() => JSON.parse(this.#own.check(text(options), File.#shared(model, 'model'))));
  }

  /** Findings of reading it, and what operations kept, approximated and dropped since. */
  report() {
    return guarded(() => JSON.parse(this.#own.report()));
  }

  /** The file as it was read, byte for byte but for what operations changed, written from what was understood of it. */
  toBytes() {
    return guarded(() => this.#own.write());
  }

  /** The values of everything that moves at some times; without any, on every frame of the clip's own rate. */
  sample({ model = this.#model, onto = undefined, ...options } = {}) {
    return guarded(() => {
      const samples = this.#own.sample(text(options), File.#shared(model, 'model'), File.#shared(onto, 'onto'));
      try {
        const [times, values] = [samples.take_times(), samples.take_values()];
        const tracks = JSON.parse(samples.tracks()).map((track) => sampledTrack(track, values));
        return { file: this.name, format: this.format, times, tracks };
      } finally {
        samples.free();
      }
    });
  }

  /** The file in another format; see `convert`. */
  convert(options) {
    return convert([this], { model: this.#model, ...options });
  }

  /** How far apart this and another file are. */
  diff(other, { model = this.#model, ...options } = {}) {
    return guarded(() => {
      const theirs = File.#of(other, 'other file');
      return JSON.parse(this.#own.diff(theirs, text(options), File.#shared(model, 'model')));
    });
  }

  /** Its parts, cut at times or at markers: a new file for each. */
  split(at = [], { clip, snap } = {}) {
    return guarded(() => {
      const options = text({ at: [at].flat(), snap });
      return this.#own.split(options, text({ clip })).map((part) => new File(part, this.#model));
    });
  }

  /** Asks for a tolerance of all operations that follow. */
  within(tolerance) {
    return guarded(() => new File(this.#own.edit('within', text({ tolerance }), [], text({})), this.#model));
  }

  /** Gives its memory back. It cannot be used after that; doing it twice does nothing. */
  free() {
    this.#document?.free();
    this.#document = undefined;
  }

  [dispose]() {
    this.free();
  }

  static {
    // Each makes a new file, or two, and leaves this one as it is.
    for (const method of Object.keys(OPERATIONS)) {
      const edited = function (...args) {
        return guarded(() => {
          const { word, options, others, clip, isSplit } = described(method, args);
          const beside = others.map((file) => File.#shared(file, 'other file'));
          if (isSplit) return this.#own.merge_apart(beside, clip).map((part) => new File(part, this.#model));
          return new File(this.#own.edit(word, options, beside, clip), this.#model);
        });
      };
      Object.defineProperty(File.prototype, method, { value: edited, writable: true, configurable: true });
    }
  }

  /** For `convert` alone. */
  static convertAll(files, { model = undefined, into = undefined, onto = undefined, ...options }) {
    const others = [File.#shared(model, 'model'), File.#shared(into, 'into'), File.#shared(onto, 'onto')];
    const inputs = files.map((file) => File.#shared(file, 'file'));
    return native.Conversion.of(inputs, named(options), ...others);
  }
}

function sampledTrack({ target, index, kind, channels }, values) {
  const channel = ({ name, width, place }) => [name, { width, values: values.subarray(...place) }];
  return { target, index, kind, channels: Object.fromEntries(channels.map(channel)) };
}

/** Options as JSON. Typed arrays are lists there. */
function text(options) {
  const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
  return JSON.stringify(options, plain);
}

/** Reads a file. */
export async function open(input, { name = nameOf(input), resources = {}, model = undefined, ...options } = {}) {
  const bytes = await bytesOf(input);
  const beside = guarded(() => new native.Resources());
  try {
    for (const [path, file] of Object.entries(resources)) {
      const content = await bytesOf(file);
      guarded(() => beside.add(path, content));
    }
    return guarded(() => new File(native.Document.read(name, bytes, beside, text(options)), model));
  } finally {
    beside.free();
  }
}

/** The names of files that a file names and that `open` wants as its `resources`. */
export async function wants(input, { name = nameOf(input), ...options } = {}) {
  const bytes = await bytesOf(input);
  return guarded(() => native.Document.wants(name, bytes, text(options)));
}

/** Our own puppet, as a model for motions of MikuMikuDance. */
export function standardModel() {
  return guarded(() => new File(native.Document.standard(), undefined));
}

/** Converts one or more files to one. */
export function convert(files, options = {}) {
  return guarded(() => {
    const made = File.convertAll(Array.isArray(files) ? files : [files], options);
    try {
      const names = made.resources();
      const resources = Object.fromEntries(names.map((name, position) => [name, made.take_resource(position)]));
      return { data: made.take_data(), resources, report: JSON.parse(made.report()), format: made.to() };
    } finally {
      made.free();
    }
  });
}

/** How far apart two files are, as one would see it. */
export function diff(a, b, options) {
  return a.diff(b, options);
}

/** What each format offers. */
export function formats() {
  return guarded(() => JSON.parse(native.formats()));
}
