#!/usr/bin/env node
// Holds our sampler against another player: both get the same file and the same times, and must agree on every channel
// of every node. The tolerances and their reasons are in lib/compare.mjs and lib/*-stage.mjs.

import { compare } from './lib/compare.mjs';
import { UsageError, jobsFromStdin, print, run } from './lib/json-lines.mjs';
import { withWarnings } from './lib/playing.mjs';

const PLAYERS = ['babylon', 'three'];

run(
  'compare.mjs three|babylon < JOBS.jsonl   ({"glb":path,"clip":index or name,"sample":{...}} per line)',
  async ([player, ...others]) => {
    if (!PLAYERS.includes(player)) throw new UsageError(`expected one of ${PLAYERS.join(', ')}, found ${player}`);
    if (others.length > 0) throw new UsageError(`unexpected argument ${others[0]}`);
    const { load } = await import(`./lib/${player}-stage.mjs`);
    let good = true;
    for await (const { glb, clip, sample } of jobsFromStdin()) {
      try {
        const { result, warnings } = await withWarnings(async () => compare(await load(glb), clip, sample));
        // A job that compared nothing proves nothing, so it counts as failed.
        const agrees = result.disagreements === 0 && result.values > 0;
        good &&= agrees;
        print({ glb, clip, agrees, ...result, ...(warnings.length > 0 && { warnings }) });
      } catch (error) {
        good = false;
        print({ glb, clip, agrees: false, error: String(error) });
      }
    }
    return good;
  },
);
