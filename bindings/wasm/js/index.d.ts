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

export interface InfoOptions extends FitOptions {
  /** Whose names the bones have, instead of a guess: `soma`, `mixamo` … */
  vocabulary?: string;
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
  /** A human figure that the motion is put onto first, as `convert` does. */
  onto?: File;
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
  /** A human figure that the motion of another one is put onto, whatever its bones are called, how they rest and how long they are. */
  onto?: File;
  /** With `onto`: the skeleton with the clips, without meshes and all else that the figure has. */
  motionOnly?: boolean;
  /** With `onto`: what stands or holds in the motion and does so on the figure too; feet unless told. */
  contacts?: 'off' | 'feet' | 'all';
  /** With `onto`: centimetres that hands keep from the body, for which arms are turned aside. */
  armSpace?: number;
  /**
   * With `onto` and in VRMA: the ground of the motion: the file's zero unless stands and rest heights tell of another (`auto`), where feet
   * stand lowest, the file's zero, or none, so that the hips keep the heights of the source, scaled (`keep`).
   */
  floor?: 'auto' | 'stands' | 'origin' | 'keep';
  /** With `onto`: a length by which the whole figure is raised, such as `3cm`, or lowered (`-2cm`). */
  raise?: string;
  /** With `onto`: what fingers do that the motion lacks; as they rest unless told. */
  hands?: 'rest' | 'relaxed';
  /** Whose names the bones have, instead of a guess: those of the motion, and behind a colon those of the figure (`soma:unreal`). */
  vocabulary?: string;
  /** Which of several human figures in a file, counted from 1: the motion's, and behind a colon the other file's (`2:1`). */
  person?: string;
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
  /** Course between frames of formats with a key on every frame (BVH, and recordings in FBX). */
  betweenFrames?: 'straight' | 'stored';
  /** Only this stretch, in seconds or in words; its start becomes 0. */
  range?: readonly [number, number] | string;
  shift?: boolean;
  /** Rest pose of a motion without a model whose format states none: translations of the first keys, or all of these. */
  rest?: 'places' | 'first';
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

/** Seconds; or words such as `45f`, where `f` stands for frames. */
export type Time = number | string;

/** A start and an end; or words such as `10f:45f`; or one time, which is both. */
export type TimeRange = readonly [Time, Time] | Time;

/** The options of every operation. */
export interface EditOptions {
  /** The clip that is changed; without it all of them. */
  clip?: ClipChoice;
}

export interface SnapOptions extends EditOptions {
  /** Take the nearest frame where a time is between two; else that is refused. */
  snap?: boolean;
}

/** Names of bones as programs and collections of motions write them. */
export type Naming = 'unity' | 'mmd' | 'vrm' | 'mixamo' | 'unreal' | 'vroid' | 'blender' | 'biovision' | 'poser' | 'smpl' | 'cmu' | 'openxr' | 'webxr' | 'mrtk2' | 'soma' | 'rokoko' | 'xsens' | 'smpl-model' | 'makehuman' | 'biped' | 'bitmoji' | 'robotexpressive' | 'quaternius' | 'bandai' | 'unityxr' | 'mhr';

/** One of four ways. */
export type RetimeOptions =
  | { /** So many times as fast: 0.5 takes twice as long. */ speed: number }
  | { /** So that it lasts so long. */ duration: Time }
  | { /** As if its frames had been meant for this rate; nothing is sampled anew. */ fps: number }
  | {
      /** With a speed that changes: pairs of a time and its new time. Between them the speed is even, outside as it was. */
      curve: readonly (readonly [Time, Time])[];
    };

/** Keys of a VMD go to the nearest frames, and of two that come to one frame the later stays, as in MikuMikuDance. */
export interface ExactOptions {
  /** Add keys until the motion is within the tolerance, instead of keeping the same ones on the nearest frames; up to twice as many. */
  exact?: boolean;
}

export type TrackKind = 'joint' | 'morph' | 'camera' | 'light' | 'hand' | 'custom';

/** Tracks that are meant: those of which all is true that is given. */
export interface KeptOptions {
  /** Names, or patterns of names: `左*`, `?`, `[ab]`. */
  names?: string | readonly string[];
  kind?: TrackKind | readonly TrackKind[];
  /** Properties of channels: `translation`, `rotation`, `scale`, `weight`, … */
  property?: string | readonly string[];
}

export interface MoveOptions {
  /** Way along the axes of the file: `1m,0,-20cm`; numbers without a unit are in units of the file. */
  by?: string | readonly [number | string, number | string, number | string];
  /** Turn about the line upwards through the origin, to a figure's left, in degrees. */
  turn?: number;
  /** Factor of the root's places, for a figure of another size; bones keep their lengths. */
  scale?: number;
  /** Put feet that stand on the ground, at height 0. */
  ground?: boolean;
}

export interface SmoothOptions {
  /** Fastest change that stays, in Hz, 6 without; what is faster goes, and nothing comes later. */
  cutoff?: number;
  /** Take the One-Euro filter of live trackers: the slower something is the stronger, and a little late. */
  oneEuro?: boolean;
  /** With `oneEuro`: fastest change that stays of what rests, in Hz; 1 without. */
  minCutoff?: number;
  /** With `oneEuro`: so many Hz more for each metre or radian per second; 1 without. */
  beta?: number;
  /** Leave feet where the filter puts them, also those that stand. */
  letFeetSlide?: boolean;
}

/** Report of a motion that was edited or converted. */
export interface EditReport {
  kept: string[];
  /** What is there exactly, but players of the target do not show. */
  kept_as_data: string[];
  approximated: {
    what: string;
    /** Absent where the bound proves the tolerance, so that nothing was measured. */
    max_error?: { value: number; unit: 'm' | 'rad' | '1'; target: string; time_s: number };
    /** Upper bound at any time, in the unit of `max_error` or in `unit`, where one is known. */
    bound?: number;
    /** Unit of a bound without `max_error`. */
    unit?: 'm' | 'rad' | '1';
    /** What differs by this between the frames on which it is known. */
    between_frames?: true;
  }[];
  dropped: { what: string; why: string }[];
  findings: Finding[];
}

export interface ConversionReport extends EditReport {
  from: string;
  to: string;
  hierarchy: 'known' | 'unknown';
  clips: string[];
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
  /** Name in the file, if programs give the name to every clip. */
  stored_name: string | null;
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
  /** What the command says with `--onto`. */
  onto?: {
    file: string;
    names_of: string | null;
    certainty: number;
    bones: { bone: string; from: string | null; to: string | null }[];
  };
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
  info(options?: InfoOptions): Info;
  /** What is wrong with it, and what is remarkable. */
  check(options?: FitOptions): CheckReport;
  /** Findings of reading it, and what operations kept, approximated and dropped since. */
  report(): EditReport;
  /** The file as it was read, byte for byte but for what operations changed, written from what was understood of it. */
  toBytes(): Uint8Array;
  /** The values of everything that moves at some times; without any, on every frame of the clip's own rate. */
  sample(options?: SampleOptions): Sampled;
  convert(options: ConvertOptions): Conversion;
  diff(other: File, options?: DiffOptions): Diff;

  // The operations of `dopesheet edit`. Each makes a new file in the same format, and leaves this one as it is; what no operation
  // touches stays to the byte. All clips are changed, unless `clip` names one.

  /** Leaves out what is before and after a range, both ends of which stay. */
  trim(start: Time, end: Time, options?: SnapOptions & { /** Keep keys at their times, instead of starting at 0. */ keepTime?: boolean }): File;
  /** Leaves out a range, and closes the gap: its end stays, and comes to its start. */
  delete(start: Time, end: Time, options?: SnapOptions): File;
  /**
   * Its parts, cut at times, or at all markers where none are given. A time to cut at belongs to both parts around it. Of several clips
   * one has to be named; the others stay whole.
   */
  split(at?: Time | readonly Time[], options?: SnapOptions): File[];
  /** Plays several times. */
  repeat(times: number, options?: EditOptions): File;
  /** Puts other motions behind. Tracks are the same if their names are; clips are paired by position. */
  concat(
    others: File | readonly File[],
    options?: SnapOptions & { /** Time between two motions, in which each curve goes straight from pose to pose. */ blend?: Time },
  ): File;
  /** As `concat`. */
  join(others: File | readonly File[], options?: SnapOptions & { blend?: Time }): File;
  /** Plays other motions at once: a body, its face and a camera become one motion. */
  merge(others: File | readonly File[], options?: EditOptions & { split?: false }): File;
  /** As two files, what moves a model and what moves cameras and lights, as MikuMikuDance loads them. */
  merge(others: File | readonly File[], options: EditOptions & { split: true }): File[];
  /** Moves all keys in time: later, or earlier where `by` is below 0. */
  shift(by: Time, options?: SnapOptions): File;
  /** Plays faster or slower, in one of four ways; every curve keeps its shape. */
  retime(options: EditOptions & RetimeOptions & ExactOptions): File;
  /** Plays backwards. */
  reverse(options?: EditOptions): File;
  /** Exchanges left and right, which are told by names and by the bones of a humanoid. */
  mirror(options?: EditOptions & { /** Left names → right names, where they say no side. */ names?: Names }): File;
  /** Makes the end meet the start, so that the clip can start again without a jump. */
  loop(
    options?: EditOptions & {
      /** Length of the stretch before the end, whose keys take over the difference; half a second without, or all of a shorter clip. */
      over?: Time;
      /** Let the figure go on from where it is; only the height of its root is brought back. */
      travel?: boolean;
    },
  ): File;
  /** Puts a key on every frame at a rate, with straight ways in between. */
  resample(fps: number, options?: EditOptions): File;
  /**
   * Asks for a tolerance of all operations that follow, such as `0.1mm@3cm`: what cannot stay exact is measured in model space, and what is
   * farther off then is refused. Without it 0.1 mm is wanted, and more is a warning.
   */
  within(tolerance: string): File;
  /** Leaves out keys that the straight way between their neighbours passes closely enough. */
  reduce(
    options?: EditOptions & {
      /** Largest distance of a point on the skin from where it was: `0.1mm@3cm`. */
      tolerance?: string;
      /** Give joints new keys with Bezier timing, as an animator would set them: few, and at the same times for a whole limb. */
      editable?: boolean;
    },
  ): File;
  /** Places, turns and scales the root of what moves: turned, then scaled, then moved, then put on the ground. */
  move(options: EditOptions & MoveOptions): File;
  /** Takes the jitter out of what was captured; without names, kinds or properties out of joints, hands and cameras, but no faces. */
  smooth(options?: EditOptions & KeptOptions & SmoothOptions): File;
  /** Gives other names to bones, morphs and all else that moves; bones that either naming has no name for keep theirs. */
  rename(
    options: EditOptions & {
      /** Old names → new names. */
      names?: Names;
      /** Naming of the bones. */
      from?: Naming;
      /** Naming that they get. */
      to?: Naming;
    },
  ): File;
  /** Keeps only the tracks of which all is true that is given. */
  select(options: EditOptions & KeptOptions): File;
  /** Leaves out the tracks that `select` would keep. */
  drop(options: EditOptions & KeptOptions): File;
  /** Says other things about a clip. */
  set(
    options: EditOptions & {
      name?: string;
      /** Name of the model that the motion is for. */
      modelName?: string;
      /** True if a player starts again at the end, false if it stays at the last pose. */
      loop?: boolean;
    },
  ): File;
  /** Makes the keys of a range come later or earlier. */
  keysMove(range: TimeRange, by: Time, options?: SnapOptions & KeptOptions): File;
  /** Puts a key more into curves, which keep their shape. */
  keysInsert(at: Time, options?: SnapOptions & KeptOptions): File;
  /** Leaves out keys. */
  keysDelete(range: TimeRange, options?: SnapOptions & KeptOptions): File;
  /** Puts the same keys at another time too, where one at the start of the range is at `to`; keys that are there go. */
  keysCopy(range: TimeRange, to: Time, options?: SnapOptions & KeptOptions): File;
  /** Brings keys nearer to the start of a range, or away from it. */
  keysScale(range: TimeRange, factor: number, options?: SnapOptions & KeptOptions): File;
  /** Says how the value runs from each key to the next one: a word, or x1, y1, x2, y2 of a Bezier timing. */
  keysLaw(
    range: TimeRange,
    law: 'step' | 'linear' | readonly [number, number, number, number],
    options?: SnapOptions & KeptOptions,
  ): File;
  /** Adds a moment with a name. */
  markersAdd(at: Time, name: string, options?: SnapOptions): File;
  /** Puts a marker, which is told by its name or its time, at another time. */
  markersMove(marker: string | number, to: Time, options?: SnapOptions): File;
  /** Takes a marker away, which is told by its name or its time. */
  markersRemove(marker: string | number, options?: EditOptions): File;

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
