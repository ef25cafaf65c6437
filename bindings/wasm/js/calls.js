// The page's side: it asks a Worker, and keeps what is still to be answered.

import { DopesheetError, misuse } from './errors.js';
import { replaced } from './messages.js';

/** What is asked of a Worker. `port` has `post(message, memory)`, `listen(onMessage, onFailure)` and `terminate()`. */
export class Calls {
  #port;
  #waiting = new Map();
  #last = 0;
  #ended;

  constructor(port, start) {
    this.#port = port;
    port.listen(
      (message) => this.#answered(message),
      (cause) => this.#end(new DopesheetError(`the Worker failed: ${cause}`, { code: 'internal' })),
    );
    port.post({ start }, []);
  }

  /** Asks for a function of the library, or for a method of the file with a number. `stands` has what stands for arguments. */
  ask(file, name, args, stands, memory = []) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      const call = ++this.#last;
      try {
        this.#port.post({ call, file, name, args: replaced(args, stands) }, memory);
      } catch (error) {
        if (error instanceof DopesheetError) throw error;
        throw misuse(`${name}: expected arguments that can be sent to a Worker, found others: ${error.message}`);
      }
      this.#waiting.set(call, { resolve, reject });
    });
  }

  /** Lets the Worker forget a file. */
  free(file) {
    if (!this.#ended) this.#port.post({ free: file }, []);
  }

  terminate() {
    this.#end(new DopesheetError('expected a Worker, found one that was terminated', { code: 'terminated' }));
  }

  #answered({ call, answer, error }) {
    const { resolve, reject } = this.#waiting.get(call) ?? {};
    this.#waiting.delete(call);
    if (error) reject?.(errorOf(error));
    else resolve?.(answer);
  }

  #end(error) {
    this.#ended ??= error;
    this.#port.terminate();
    this.#waiting.forEach(({ reject }) => reject(error));
    this.#waiting.clear();
  }
}

/** An error as the Worker threw it. */
function errorOf({ name, message, details, cause }) {
  if (name !== 'DopesheetError') return Object.assign(new Error(message), { name });
  return new DopesheetError(message, cause === undefined ? details : { ...details, cause });
}
