import { Worker } from 'node:worker_threads';
import { library } from './remote.js';

export { DopesheetError } from './errors.js';
export { WorkerFile } from './remote.js';

/** As in a browser, in a thread of node, which goes on until it is terminated. */
export function inWorker({ module = undefined, worker = new Worker(new URL('node-thread.js', import.meta.url)) } = {}) {
  return library(portOf(worker), module);
}

function portOf(worker) {
  return {
    post: (message, memory) => worker.postMessage(message, memory),
    listen(onMessage, onFailure) {
      worker.on('message', onMessage);
      worker.on('error', ({ message }) => onFailure(message));
      worker.on('messageerror', ({ message }) => onFailure(message));
    },
    terminate: () => void worker.terminate(),
  };
}
