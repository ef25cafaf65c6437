// What a page and its Worker say to each other.

/** The member by which a message has a file in its place: the number under which the Worker keeps it. */
export const FILE = 'dopesheet file';

/** A value with others in the place of some of its parts: those of which `other` has something to say. */
export function replaced(value, other) {
  const instead = other(value);
  if (instead !== undefined) return instead;
  if (Array.isArray(value)) return value.map((part) => replaced(part, other));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, other)]));
}

/** The memory of all arrays of numbers in a value, which a message can hand over. */
export function memoryOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value) || isPlain(value)) {
    Object.values(value).forEach((part) => memoryOf(part, found));
  }
  return found;
}

function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
