/** Anything that holds the bytes of a file. */
export type Source = ArrayBuffer | SharedArrayBuffer | ArrayBufferView | Blob | Response;

/** A clip by its position from 0, or the first of a name. */
export type ClipChoice = number | string;

/** Names of one file → names of another. */
export type Names = Readonly<Record<string, string>>;

/** What could not be done, and why. Members that a case does not know are `undefined`. */
export class DopesheetError extends Error {
  readonly name: 'DopesheetError';
  /** Stable word for the kind of fault; `usage` for arguments that make no sense, `internal` if the library failed. */
  readonly code: string;
  /** Id of the format that was concerned. */
  readonly format?: string;
  /** Position in a binary file, in bytes from its start. */
  readonly offset?: number;
  /** Line in a text file, from 1. */
  readonly line?: number;
  /** Column in a text file, in characters from 1. */
  readonly column?: number;
  /** JSON pointer in a text file. */
  readonly pointer?: string;
  /** Names of the enclosing structures: `bone keys[41].rotation`. */
  readonly path?: string;
  readonly expected?: string;
  readonly found?: string;
}

/**
 * Starts the library; everything else works when that is done. Once is enough: later calls wait for the first.
 *
 * Without `module` it is fetched from beside the package's files, which bundlers find; in node it is read from there.
 */
export default function init(module?: Source | URL | string | Request | WebAssembly.Module): Promise<void>;

/** As `init`, from a module that is there: in a Worker, say, to which it was posted. */
export function initSync(module: ArrayBuffer | ArrayBufferView | WebAssembly.Module): void;

export interface OpenOptions {
  /** What the file is called: its extension counts where its bytes do not tell, and clips without a name get its own. */
  name?: string;
  /** Read it as this format instead of finding out. */
  format?: string;
  /** Keep what can be kept of a damaged file. */
  lenient?: boolean;
  /** What to take for true where the file says nothing: `{ rate: '30', axes: 'yup' }`. */
  assume?: Names;
  /** Files beside it that it names; `wants` says which. */
  resources?: Readonly<Record<string, Source>>;
  /** The model that its motions play on, here and in everything that is asked of the file. */
  model?: File;
}

export interface FitOptions {
  model?: File;
  names?: Names;
}

export interface SampleOptions extends FitOptions {
  /** Seconds; or words such as `0,0.5,45f`, where `f` stands for frames. */
  times?: readonly number[] | Float64Array | Float32Array | string;
  /** Frames of the clip's own rate. */
  frames?: readonly number[] | Float64Array | Float32Array | Int32Array;
  /** So many times a second, from 0 to the end. */
  fps?: number;
  /** Start, end and step in seconds; or words such as `0f:90f:2f`. */
  range?: readonly [number, number, number] | string;
  /** The file's own axes, units and names, or those of glTF. */
  axes?: 'native' | 'gltf';
  /** Relative to the parent or to the model. */
  space?: 'local' | 'model';
  clip?: ClipChoice;
  language?: 'original' | 'english';
}

/** Rows of numbers, one for each time, one after the other. */
export interface SampledChannel {
  /** Numbers in a row. */
  width: number;
  values: Float64Array;
}

export interface SampledTrack {
  target: string;
  /** Its number in the source, by which equal names stay apart. */
  index: number;
  kind: string;
  /** By name: `translation`, `rotation` (x y z w), `scale`, `weight`, … */
  channels: Record<string, SampledChannel>;
}

export interface Sampled {
  file: string;
  format: string;
  /** Seconds. */
  times: Float64Array;
  tracks: SampledTrack[];
}

/** The options of the command `dopesheet convert`. */
export interface ConvertOptions extends FitOptions {
  /** The format to write, with its variant: `glb`, `playcanvas@3`. Without it `fileName` says. */
  to?: string;
  /** What the file will be called; files beside it are named after it. */
  fileName?: string;
  /** A file to whose nodes the clips are added, by name. */
  into?: File;
  /** With `into`: drop its own animations. */
  replace?: boolean;
  skipFirst?: boolean;
  clip?: ClipChoice;
  language?: 'original' | 'english';
  /** A key for every frame at this rate instead of authored keys. */
  bake?: number;
  /** How far the result may be from the source: `0.1mm@3cm`. */
  tolerance?: string;
  lossy?: boolean;
  cubic?: boolean;
  ik?: 'mmd' | 'babylon';
  raw?: boolean;
  /** Only this stretch, in seconds or in words; its start becomes 0. */
  range?: readonly [number, number] | string;
  shift?: boolean;
  sort?: boolean;
  /** Metres per unit of the inputs. */
  scale?: number;
  unlit?: boolean;
  /** A small mesh of the bones, with a skin, for a skeleton without any mesh, of which viewers show nothing. */
  showBones?: boolean;
  keepConstant?: boolean;
  replaceUnencodable?: boolean;
  /** Write although fewer than half of the moving tracks reach the model or the target. */
  partial?: boolean;
  /** Frames that may all get keys, or be looked at for keys; more are refused. Without it as many as have 10 million numbers. */
  maxFrames?: number;
}

export interface ConversionReport {
  from: string;
  to: string;
  hierarchy: 'known' | 'unknown';
  clips: string[];
  kept: string[];
  approximated: {
    what: string;
    max_error: { value: number; unit: 'm' | 'rad' | '1'; target: string; time_s: number };
    /** Upper bound at any time, in the unit of `max_error`, where one is known. */
    bound?: number;
    /** What differs by this between the frames on which it is known. */
    between_frames?: true;
  }[];
  dropped: { what: string; why: string }[];
  findings: Finding[];
}

export interface Conversion {
  /** The file. */
  data: Uint8Array;
  /** Files that must stand beside it, by their names. */
  resources: Record<string, Uint8Array>;
  report: ConversionReport;
  /** The id of its format. */
  format: string;
}

export interface Finding {
  code: string;
  severity: 'error' | 'warning' | 'info';
  offset?: number;
  line?: number;
  column?: number;
  pointer?: string;
  path: string;
  expected: string;
  found: string;
  message: string;
  /** The motion that it is about, by position; what moves there, and when. */
  clip?: number;
  target?: string;
  channel?: string;
  time_s?: number;
}

export interface CheckReport {
  schema_version: 1;
  file: string;
  format: string;
  findings: Finding[];
}

export interface ClipInfo {
  name: string | null;
  duration_s: number;
  rate_fps: number | null;
  tracks: number;
  keys: number;
  markers: number;
}

/** What `dopesheet info --json` says; docs/schemas/info.json describes it in full. */
export interface Info {
  schema_version: 1;
  file: string;
  format: string;
  format_name: string;
  version: string | null;
  variant: string | null;
  facts: Record<string, string>;
  hierarchy: 'known' | 'unknown';
  nodes: number;
  parts: Record<string, number>;
  clips: ClipInfo[];
  findings: { error: number; warning: number; info: number };
  humanoid: unknown;
  binding: unknown;
}

/** What `dopesheet diff --json` says; docs/schemas/diff.json describes it in full. */
export interface Diff {
  schema_version: 1;
  within_tolerance: boolean;
  worst: { target: string; time_s: number; model_space_m: number | null; rotation_rad: number | null } | null;
  tracks: unknown[];
  only_in_a: unknown[];
  only_in_b: unknown[];
}

export interface DiffOptions extends FitOptions {
  tolerance?: string;
  clip?: ClipChoice;
}

export interface FormatInfo {
  id: string;
  name: string;
  extensions: string[];
  reads: boolean;
  writes: boolean;
  attaches: boolean;
  clips: 'one' | 'many';
  variants: { name: string; about: string }[];
  /** Words that may follow a variant after `@`, or stand there alone, with commas between. */
  variant_words: { name: string; about: string }[];
  specifications: string[];
}

/** A file that has been read. `open` makes one. */
export class File {
  private constructor();
  /** What it was called when it was opened. */
  readonly name: string;
  /** The id of its format. */
  readonly format: string;
  readonly model: File | undefined;
  /** What is in it; with a model also how it fits that. */
  info(options?: FitOptions): Info;
  /** What is wrong with it, and what is remarkable. */
  check(options?: FitOptions): CheckReport;
  /** The file as it was read, byte for byte, written from what was understood of it. */
  toBytes(): Uint8Array;
  /** The values of everything that moves at some times; without any, on every frame of the clip's own rate. */
  sample(options?: SampleOptions): Sampled;
  convert(options: ConvertOptions): Conversion;
  diff(other: File, options?: DiffOptions): Diff;
  /** Gives its memory back. It cannot be used after that; doing it twice does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Reads a file. */
export function open(input: Source, options?: OpenOptions): Promise<File>;

/** The names of files that a file names and that `open` wants as its `resources`. */
export function wants(input: Source, options?: OpenOptions): Promise<string[]>;

/** Our own puppet, as a model for motions of MikuMikuDance. */
export function standardModel(): File;

/** Converts one or more files to one. */
export function convert(files: File | readonly File[], options: ConvertOptions): Conversion;

/** How far apart two files are, as one would see it. */
export function diff(a: File, b: File, options?: DiffOptions): Diff;

/** What each format offers. */
export function formats(): FormatInfo[];

/** A channel as glTF has it. */
export interface GltfChannel {
  node?: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights' | 'pointer';
  /** What moves instead of a node: a JSON pointer. */
  pointer?: string;
  interpolation: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
  /** Seconds. */
  times: Float32Array;
  /** Rows, one for each time; with cubics arriving tangent, value and leaving tangent. */
  values: Float32Array;
}

export interface GltfAnimations {
  nodes: { name: string; parent: number; path: string[] }[];
  animations: { name: string; duration: number; channels: GltfChannel[]; others: GltfChannel[] }[];
}

/** The animations of a file as a conversion to glTF carries them. */
export function animationsOf(file: File, options?: ConvertOptions): GltfAnimations;

export interface ThreeOptions<Object3D = unknown> extends ConvertOptions {
  /**
   * The object that the mixer plays on. With it, each of the meshes that GLTFLoader makes of one with several materials gets
   * a track for its morph targets; without it such a face stands still.
   */
  root?: Object3D;
}

/** A clip as an AnimationClip of three.js; `three` is the module. Objects are found by the names that GLTFLoader gives. */
export function toThreeAnimationClip<Three extends { AnimationClip: new (...args: never[]) => unknown }>(
  file: File,
  three: Three,
  options?: ThreeOptions,
): InstanceType<Three['AnimationClip']>;

export interface BabylonOptions<Scene = unknown> extends ConvertOptions {
  /** The scene that the group belongs to. */
  scene?: Scene;
  /** What is to move, one object or several in an array, by the node's name, its position in the file, the property and the
   *  morph target. Without it nodes are found by name, and all meshes of a node that has several materials. */
  target?: (name: string, node: number, property: string, index?: number) => unknown;
}

/** A clip as an AnimationGroup of Babylon.js; `babylon` is the module. */
export function toBabylonAnimationGroup<Babylon extends { AnimationGroup: new (...args: never[]) => unknown }>(
  file: File,
  babylon: Babylon,
  options?: BabylonOptions,
): InstanceType<Babylon['AnimationGroup']>;

export interface PlayCanvasOptions extends ConvertOptions {
  /** The name of what the nodes hang below, if anything. */
  root?: string;
}

/** A clip as an AnimTrack of PlayCanvas; `pc` is the module. */
export function toPlayCanvasAnimTrack<PlayCanvas extends { AnimTrack: new (...args: never[]) => unknown }>(
  file: File,
  pc: PlayCanvas,
  options?: PlayCanvasOptions,
): InstanceType<PlayCanvas['AnimTrack']>;
