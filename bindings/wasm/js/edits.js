/**
 * The operations of `dopesheet edit`: what the arguments before the options mean. A method's name is the operation's word, or both
 * words where it is one of a group: `keysMove` is `keys move`.
 */
export const OPERATIONS = {
  trim: (start, end) => ({ range: [start, end] }),
  delete: (start, end) => ({ range: [start, end] }),
  repeat: (times) => ({ times }),
  concat: (others) => ({ others }),
  join: (others) => ({ others }),
  merge: (others) => ({ others }),
  shift: (by) => ({ by }),
  retime: () => ({}),
  reverse: () => ({}),
  mirror: () => ({}),
  loop: () => ({}),
  resample: (fps) => ({ fps }),
  reduce: () => ({}),
  move: () => ({}),
  smooth: () => ({}),
  rename: () => ({}),
  select: () => ({}),
  drop: () => ({}),
  set: () => ({}),
  keysMove: (range, by) => ({ range, by }),
  keysInsert: (at) => ({ at }),
  keysDelete: (range) => ({ range }),
  keysCopy: (range, to) => ({ range, to }),
  keysScale: (range, factor) => ({ range, factor }),
  keysLaw: (range, law) => ({ range, law }),
  markersAdd: (at, name) => ({ at, name }),
  markersMove: (marker, to) => ({ marker, to }),
  markersRemove: (marker) => ({ marker }),
};

/** Other names of operations. */
const ALIASES = { join: 'concat' };

/**
 * An operation as the library takes it: its word, its options in JSON, the files that it needs, and the clip that is changed; and
 * whether its result comes in two files.
 */
export function described(method, args) {
  const first = OPERATIONS[method];
  const { clip, others, ...options } = { ...first(...args), ...args[first.length] };
  const isSplit = method === 'merge' && options.split === true;
  if (isSplit || options.split === false) delete options.split;
  return {
    word: words(ALIASES[method] ?? method, ' '),
    options: named(options),
    others: others === undefined ? [] : [others].flat(),
    clip: JSON.stringify({ clip }),
    isSplit,
  };
}

/** Options in JSON, by the names of the command. */
export function named(options) {
  const entries = Object.entries(options).map(([name, value]) => [words(name, '-'), value]);
  return JSON.stringify(Object.fromEntries(entries), plain);
}

/** A name in camel case as words with something between them. */
function words(name, between) {
  return name.replace(/[A-Z]/g, (letter) => between + letter.toLowerCase());
}

/** Typed arrays are lists in JSON; a number that it lacks is not left out, but said in the message. */
function plain(_, value) {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
