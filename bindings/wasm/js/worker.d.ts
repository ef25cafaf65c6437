import type * as page from './index.js';
import type { BabylonOptions, File, OpenOptions, PlayCanvasOptions, Source, ThreeOptions } from './index.js';

export { DopesheetError } from './index.js';

/** Values that stay as they are on their way to a Worker. */
type Plain = Source | string | number | boolean | bigint | symbol | null | undefined;

/** A value with files of a Worker for files of the page. */
type There<T> = T extends File ? WorkerFile : T extends Plain ? T : T extends object ? { [Name in keyof T]: There<T[Name]> } : T;

/** A function whose answer is waited for. */
type Asked<Function> = Function extends (...args: infer Args) => infer Answer
  ? (...args: There<Args> & unknown[]) => Promise<There<Awaited<Answer>>>
  : never;

/** What a file says of itself at once. */
type Known = 'name' | 'format' | 'model' | 'free' | typeof Symbol.dispose;

type Methods = { [Name in keyof Omit<File, Known>]: Asked<File[Name]> };

/** A file that a Worker keeps: a `File` whose methods are waited for. */
export interface WorkerFile extends Methods {
  /** What it was called when it was opened. */
  readonly name: string;
  /** The id of its format. */
  readonly format: string;
  readonly model: WorkerFile | undefined;
  /** Gives its memory back, when all that was asked before is done. It cannot be used after that; doing it twice does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

export interface WorkerOpenOptions extends Omit<OpenOptions, 'model'> {
  model?: WorkerFile;
  /** Hand the caller's buffers over to the Worker instead of copying them; he cannot use them any more. */
  transfer?: boolean;
}

/** The functions of the package; those that read a file take `transfer` as well. */
type Functions = { [Name in 'standardModel' | 'convert' | 'diff' | 'formats' | 'animationsOf']: Asked<(typeof page)[Name]> };

/** The library as a Worker has it. */
export interface InWorker extends Functions {
  /** Reads a file. */
  open(input: Source, options?: WorkerOpenOptions): Promise<WorkerFile>;
  /** The names of files that a file names and that `open` wants as its `resources`. */
  wants(input: Source, options?: WorkerOpenOptions): Promise<string[]>;
  /** A clip as an AnimationClip of three.js, whose numbers come from the Worker. */
  toThreeAnimationClip<Three extends { AnimationClip: new (...args: never[]) => unknown }>(
    file: WorkerFile,
    three: Three,
    options?: There<ThreeOptions>,
  ): Promise<InstanceType<Three['AnimationClip']>>;
  /** A clip as an AnimationGroup of Babylon.js, whose numbers come from the Worker. */
  toBabylonAnimationGroup<Babylon extends { AnimationGroup: new (...args: never[]) => unknown }>(
    file: WorkerFile,
    babylon: Babylon,
    options?: There<Omit<BabylonOptions, 'target'>> & Pick<BabylonOptions, 'target'>,
  ): Promise<InstanceType<Babylon['AnimationGroup']>>;
  /** A clip as an AnimTrack of PlayCanvas, whose numbers come from the Worker. */
  toPlayCanvasAnimTrack<PlayCanvas extends { AnimTrack: new (...args: never[]) => unknown }>(
    file: WorkerFile,
    pc: PlayCanvas,
    options?: There<PlayCanvasOptions>,
  ): Promise<InstanceType<PlayCanvas['AnimTrack']>>;
  /** Ends the Worker. What it was asked and has not answered is refused with the code `terminated`, as all else is from then on. */
  terminate(): void;
  [Symbol.dispose](): void;
}

export interface WorkerOptions {
  /** What `init` takes in the Worker, as far as it can be sent there. Without it the module is fetched from beside the package's files. */
  module?: URL | string | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
  /** A Worker whose script imports `dopesheet/thread`, for bundlers that do not find the package's own. */
  worker?: unknown;
}

/**
 * The library in a Worker of its own, which is started at once. What one page asks is done in order; several Workers do several
 * things at once.
 */
export function inWorker(options?: WorkerOptions): InWorker;
