import start, { initSync as startSync } from './native.js';
import { DopesheetError, state } from './errors.js';

export { DopesheetError } from './errors.js';
export { File, convert, diff, formats, open, standardModel, wants } from './files.js';
export { toBabylonAnimationGroup } from './babylon.js';
export { toPlayCanvasAnimTrack } from './playcanvas.js';
export { toThreeAnimationClip } from './three.js';
export { animationsOf } from './gltf.js';

let started;

/**
 * Starts the library; everything else works when that is done. Once is enough: later calls wait for the first.
 *
 * Without `module` it is fetched from beside this file, which bundlers find.
 */
export default function init(module) {
  started ??= start(module === undefined ? undefined : { module_or_path: module }).then(
    () => {
      state.isStarted = true;
    },
    (error) => {
      started = undefined;
      throw failed(error);
    },
  );
  return started;
}

function failed(error) {
  return new DopesheetError(`the module could not be started: ${error.message}`, { code: 'internal', cause: error });
}

/** As `init`, from a module that is there: in a Worker, say, to which it was posted. */
export function initSync(module) {
  try {
    startSync({ module });
  } catch (error) {
    throw failed(error);
  }
  state.isStarted = true;
  started = Promise.resolve();
}
