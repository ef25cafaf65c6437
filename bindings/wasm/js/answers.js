// The Worker's side: it keeps files, does with them what is asked, and answers.

import { FILE, memoryOf, replaced } from './messages.js';

/**
 * A function that takes the messages of a page. `library` is what is exported by index.js or node.js, and `post` sends a message and
 * hands over the memory that is in it.
 */
export function answering(library, post) {
  const files = new Map();
  let [last, module] = [0, undefined];

  const kept = (value) => {
    if (!(value instanceof library.File)) return undefined;
    files.set(++last, value);
    return { [FILE]: last, name: value.name, format: value.format };
  };
  const meant = (value) => (value?.[FILE] === undefined ? undefined : files.get(value[FILE]));

  async function done({ file, name, args }) {
    await library.default(module);
    const of = file === undefined ? library : files.get(file);
    return replaced(await of[name](...replaced(args, meant)), kept);
  }

  async function told(message) {
    if (message.start) {
      module = message.start.module;
      // If that fails, whoever asks for something is told.
      library.default(module).catch(() => {});
    }
    if (message.free !== undefined) {
      files.get(message.free)?.free();
      files.delete(message.free);
    }
    if (message.call === undefined) return;
    const { call } = message;
    try {
      const answer = await done(message);
      post({ call, answer }, [...memoryOf(answer)]);
    } catch (error) {
      post({ call, error: described(error) }, []);
    }
  }

  // One after the other, so that a file is not freed before what was asked of it first is done.
  let queue = Promise.resolve();
  return (message) => {
    queue = queue.then(() => told(message));
  };
}

/** An error as a message takes it: with all members that it has, and its cause in words. */
function described(error) {
  const { cause, ...details } = error;
  const { name, message } = error;
  return { name, message, details, cause: cause === undefined ? undefined : String(cause) };
}
