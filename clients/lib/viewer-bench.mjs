// A page of the viewer and the command beside it: files for both, and whether they make the same of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { NO_COMMAND, ROOT, command, skipFor } from '../test/programs.mjs';
import { findChromium } from './look.mjs';
import { openViewer } from './viewer.mjs';

const SAMPLES = join(ROOT, 'samples');
const PAGE = process.env.DOPESHEET_PAGE;
const chromium = findChromium();
const missing =
  (!PAGE && "the viewer's page (`cargo xtask web` makes it, DOPESHEET_PAGE names it)") ||
  (!chromium && 'a Chromium (CHROMIUM may name it)') ||
  NO_COMMAND;

/** Why tests with a page are skipped, if they are. */
export const skip = skipFor(missing);

/** True once nothing is being done. */
export const settled = (status) => status.busy.length === 0;

/** A folder in which the command is run, as whoever copies its lines does. */
export class Bench {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'dopesheet-bench-'));
    before(() => {
      if (skip) return;
      assert.ok(!missing, `expected ${missing}, found none`);
      symlinkSync(command, join(this.folder, 'dopesheet'));
    });
    after(() => rmSync(this.folder, { recursive: true }));
  }

  /** Puts a file into the folder, a sample unless there are bytes; returns it for the page. */
  put(name, bytes = readFileSync(join(SAMPLES, name))) {
    writeFileSync(join(this.folder, name), bytes);
    return { name, bytes };
  }

  /** The bytes of a file in the folder. */
  read(name) {
    return readFileSync(join(this.folder, name));
  }

  /** What the command makes of a file in another format, with options. */
  converted(name, bytes, to, options = '') {
    this.put(name, bytes);
    this.run(`dopesheet convert ${name} -o ${to} ${options}`);
    return this.read(to);
  }

  /** Runs lines of a shell in the folder. */
  run(...lines) {
    const env = { ...process.env, PATH: `${this.folder}:${process.env.PATH}` };
    for (const line of lines) {
      const own = line.replace(/^dopesheet (convert|edit) /, 'dopesheet $1 --quiet --force ');
      const { status, stderr } = spawnSync('sh', ['-c', own], { cwd: this.folder, env });
      assert.equal(status, 0, `${line}: ${stderr}`);
    }
  }

  /** Asserts that bytes are those of a file in the folder. */
  same(bytes, name, what) {
    const own = this.read(name);
    const others = own.filter((byte, at) => byte !== bytes[at]).length;
    assert.ok(bytes.equals(own), `${what}: ${others} of ${own.length} bytes are others than those of the command`);
  }

  /** Keeps a picture of a page where SHOTS says. */
  async shoot(name, page) {
    if (process.env.SHOTS) this.keep(`${name}.png`, await page.picture());
  }

  /** Keeps a file where SHOTS says. */
  keep(name, bytes) {
    if (!process.env.SHOTS) return;
    mkdirSync(process.env.SHOTS, { recursive: true });
    writeFileSync(join(process.env.SHOTS, name), bytes);
  }

  /** Does something with a page of its own, in which nothing goes wrong. */
  async withPage(use, options) {
    const page = await openViewer(chromium, PAGE, options);
    try {
      await use(page);
      assert.deepEqual(page.faults, []);
    } finally {
      await page.close();
    }
  }

  /** Opens a motion and a figure, with pictures of that, and has the figure take the motion. */
  async putOn(page, motion, figure, ...pictures) {
    await page.drop([motion, figure, ...pictures]);
    await page.until((status) => status.active === motion.name, 'the motion');
    await page.tab.keyboard.press('Space');
    await page.click('Put on');
    await page.click('figure');
    await page.click(`figure ${figure.name}`);
    return page.until((status) => settled(status) && (status.fitted || status.said), 'the figure with the motion');
  }

  /** Chooses a format to export, and takes the file home. */
  async take(page, format) {
    await page.click('Export');
    await page.click('target');
    await page.click(`target ${format}`);
    return page.download('convert');
  }
}
