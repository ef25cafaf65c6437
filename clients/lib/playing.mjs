// What all players of clips have in common, whoever the player is.

/** The position of the clip in `animations`, given its position, its name, or nothing (the first). */
export function clipIndex(json, clip = 0) {
  const animations = json.animations ?? [];
  const index = typeof clip === 'string' ? animations.findIndex(({ name }) => name === clip) : clip;
  if (animations[index] === undefined) throw new Error(`no clip ${JSON.stringify(clip)} among ${animations.length}`);
  return index;
}

/** Turns a list of instants into one object per node with a list per channel. */
export function columns(nodes, instants) {
  return nodes.map(({ index, name, ...channels }, position) => {
    const column = (channel) => [channel, instants.map((instant) => instant[position][channel])];
    return { index, name, ...Object.fromEntries(Object.keys(channels).map(column)) };
  });
}

/** Runs `work`; returns its result and what the player complained of meanwhile, such as a track it could not bind. */
export async function withWarnings(work) {
  const warnings = [];
  const { warn, error } = console;
  console.warn = console.error = (...parts) =>
    warnings.push(parts.filter((part) => typeof part !== 'object').join(' '));
  try {
    return { result: await work(), warnings };
  } finally {
    Object.assign(console, { warn, error });
  }
}
