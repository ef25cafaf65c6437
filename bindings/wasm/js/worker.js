import { library } from './remote.js';

export { DopesheetError } from './errors.js';
export { WorkerFile } from './remote.js';

/** The library in a Worker of its own. */
export function inWorker({ module = undefined, worker = started() } = {}) {
  const isAddress = typeof module === 'string' || module instanceof URL;
  return library(portOf(worker), isAddress ? new URL(module, self.document?.baseURI ?? self.location.href).href : module);
}

function started() {
  if (new URL(import.meta.url).origin !== self.location.origin) return startedElsewhere();
  return new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
}

/** Browsers start no script of another origin, such as that of a CDN, but one of our own may import it. */
function startedElsewhere() {
  const here = import.meta.url;
  const script = `import ${JSON.stringify(new URL('thread.js', here).href)};`;
  return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' });
}

function portOf(worker) {
  return {
    post: (message, memory) => worker.postMessage(message, memory),
    listen(onMessage, onFailure) {
      worker.addEventListener('message', ({ data }) => onMessage(data));
      worker.addEventListener('error', ({ message }) => onFailure(message || 'its script could not be loaded'));
      worker.addEventListener('messageerror', () => onFailure('a message could not be read'));
    },
    terminate: () => worker.terminate(),
  };
}
