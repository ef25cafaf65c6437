// Files that were dropped, also those in folders, with their paths.

/** All files of a drop as `{ path, file }`. */
export async function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...files].map((file) => ({ path: file.name, file }));
  return (await Promise.all(entries.map((entry) => below(entry, entry.name)))).flat();
}

async function below(entry, path) {
  if (entry.isFile) return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
  const reader = entry.createReader();
  const inside = [];
  // A reader gives a hundred entries at a time, and none at the end.
  for (let some; some === undefined || some.length > 0; inside.push(...some)) {
    some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  }
  return (await Promise.all(inside.map((child) => below(child, `${path}/${child.name}`)))).flat();
}
