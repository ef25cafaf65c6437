// What a page of somebody does: nothing but an import, and the bundler does the rest.

import * as THREE from 'three';
import init, { DopesheetError, open, toThreeAnimationClip } from 'dopesheet';

/** Everything that is asked of a motion, in this thread. */
async function here() {
  await init();
  const file = await open(await fetch('walk.vmd'));
  const { data } = file.convert({ to: 'glb' });
  const clip = toThreeAnimationClip(file, THREE);
  const error = await open(new Blob([new Uint8Array(1000)]), { name: 'x.vmd' }).catch((error) => error);
  const { times, tracks } = file.sample({ times: [0.5] });
  const answer = {
    name: file.name,
    glb: Array.from(data),
    clip: { duration: clip.duration, tracks: clip.tracks.length },
    error: error instanceof DopesheetError && { code: error.code, offset: error.offset, message: error.message },
    times: Array.from(times),
    tracks: tracks.map(({ target, channels }) => [target, Array.from(channels.translation?.values ?? [])]),
  };
  file.free();
  return answer;
}

/** The same conversion in a Worker. */
function there() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve({ glb: Array.from(data) });
    worker.onerror = reject;
    worker.postMessage('walk.vmd');
  });
}

window.answer = Promise.all([here(), there()]);
