/** What could not be done, and why. Members that a case does not know are `undefined`. */
export class DopesheetError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.name = 'DopesheetError';
    for (const [key, value] of Object.entries(details)) {
      if (key !== 'message' && value !== null) this[key] = value;
    }
  }
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
