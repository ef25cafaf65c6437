// Pictures of a GLB, drawn by three.js in a Chromium without a window, on the processor, so that they are the same everywhere.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** What the browser is called by those who package it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Where the page and three.js seem to come from; nothing is asked of any network. */
const HOST = 'http://look.invalid';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** Where a Chromium is: what `CHROMIUM` says, or the first on the path; `undefined` if there is none. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const all = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env.CHROMIUM, ...all].find((path) => path && existsSync(path));
}

/** Opens a browser with the GLB at `path`; pictures are `size` pixels wide and high. Close it when done. */
export async function open(chromiumPath, path, size) {
  const args = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const browser = await chromium.launch({ executablePath: chromiumPath, args });
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.route(`${HOST}/**`, (route) => {
    const name = new URL(route.request().url()).pathname;
    const file = name === '/figure.glb' ? path : join(FOLDER, name);
    return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 });
  });
  await page.goto(`${HOST}/lib/look-page.html`);
  await page.waitForFunction(() => window.look !== undefined, undefined, { timeout: 20_000 }).catch((error) => {
    throw new Error(`the page did not start: ${faults.join('; ') || error}`);
  });
  const stage = await page.evaluateHandle((size) => window.look.load('/figure.glb', size), size);
  return {
    /** The figure at a time, as the bytes of a PNG; for `changes` see `draw` in look-page.mjs. */
    async picture(time_s, changes = {}) {
      const url = await stage.evaluate((stage, [time_s, changes]) => window.look.draw(stage, time_s, changes), [
        time_s,
        changes,
      ]);
      return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    },
    /** How far apart two PNGs are; see `compare` in look-page.mjs. */
    compare(a, b) {
      const [urlA, urlB] = [a, b].map((png) => `data:image/png;base64,${png.toString('base64')}`);
      return page.evaluate(([a, b]) => window.look.compare(a, b), [urlA, urlB]);
    },
    close: () => browser.close(),
  };
}
