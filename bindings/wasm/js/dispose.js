if (Symbol.dispose === undefined) {
  // As proposals are brought in elsewhere: so that `using` works where it is compiled away.
  Object.defineProperty(Symbol, 'dispose', { value: Symbol.for('Symbol.dispose') });
}

/** The name of what `using` calls at the end of a block. */
export const dispose = Symbol.dispose;
