/** What could not be done, and why. Members that a case does not know are `undefined`. */
export class DopesheetError extends Error {
  constructor(message, details = {}) {
    super(spoken(message));
    this.name = 'DopesheetError';
    for (const [key, value] of Object.entries(details)) {
      if (key !== 'message' && value !== null) this[key] = SENTENCES.includes(key) ? spoken(value) : value;
    }
  }
}

const SENTENCES = ['expected', 'found'];

/** Options of the command that have another name here, and what they are given where they have no value there. */
const OTHERS = { map: 'names', m: 'model' };

/** A message with options of JavaScript for those of the command line. */
function spoken(text) {
  const camel = (option) => option.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return text.replace(/(?<![\w-])--?([a-z]+(?:-[a-z]+)*)(?![\w-])/g, (whole, option) => {
    if (!whole.startsWith('--') && option !== 'm') return whole;
    return `\`${OTHERS[option] ?? camel(option)}\``;
  });
}

/** Whether the library can be called. */
export const state = { isStarted: false };

/** An argument that makes no sense. */
export function misuse(message) {
  return new DopesheetError(message, { code: 'usage' });
}

/**
 * Runs something of the library; what it throws becomes a DopesheetError.
 *
 * The library promises never to panic. If it ever does, or runs out of memory or stack, that is an error with the code
 * `internal`, and the module should not be used any further.
 */
export function guarded(work) {
  if (!state.isStarted) throw misuse('expected init() to be done first: await init()');
  try {
    return work();
  } catch (thrown) {
    if (typeof thrown === 'string') {
      const details = JSON.parse(thrown);
      throw new DopesheetError(details.message, details);
    }
    if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError) {
      throw new DopesheetError(`the library failed: ${thrown.message}`, { code: 'internal', cause: thrown });
    }
    throw thrown;
  }
}
