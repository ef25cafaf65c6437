#!/usr/bin/env node
// Judges motions that other figures took (`dopesheet convert --onto`), in three.js' poses of source and result.
// What is good may be read in lib/judge.mjs.

import { judge } from './lib/judge.mjs';
import { UsageError, jobsFromStdin, print, run } from './lib/json-lines.mjs';
import { withWarnings } from './lib/playing.mjs';

const USAGE = 'judge.mjs < JOBS.jsonl   ({"glb":result,"motion":path,"bones":[{"bone":...,"from":...,"to":...}]} per line)';

run(USAGE, async (args) => {
  if (args.length > 0) throw new UsageError(`unexpected argument ${args[0]}`);
  let good = true;
  for await (const job of jobsFromStdin()) {
    const { glb, motion } = job;
    try {
      const { result } = await withWarnings(() => judge(job));
      good &&= result.verdict === 'good';
      print({ glb, motion, ...result });
    } catch (error) {
      good = false;
      print({ glb, motion, error: String(error) });
    }
  }
  return good;
});
