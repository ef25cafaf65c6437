#!/usr/bin/env node
// Says what three.js, the reader most people will open our glTF with, shows at given times of a clip.
// How close to the glTF laws it is may be read in lib/three-stage.mjs.

import { UsageError, jobsFromStdin, print, run } from './lib/json-lines.mjs';
import { withWarnings } from './lib/playing.mjs';
import { load } from './lib/three-stage.mjs';

run('three-play.mjs < JOBS.jsonl   ({"glb":path,"clip":index or name,"times_s":[...]} per line)', async (args) => {
  if (args.length > 0) throw new UsageError(`unexpected argument ${args[0]}`);
  let good = true;
  for await (const { glb, clip, times_s } of jobsFromStdin()) {
    try {
      const { result, warnings } = await withWarnings(async () => (await load(glb)).play(clip, times_s));
      print({ glb, clip, ...result, ...(warnings.length > 0 && { warnings }) });
    } catch (error) {
      good = false;
      print({ glb, clip, error: String(error) });
    }
  }
  return good;
});
