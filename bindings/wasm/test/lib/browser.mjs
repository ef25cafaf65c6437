// A Chromium without a window, and what it is shown.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** The folder of the tests, where the package and those of others are installed. */
export const HERE = fileURLToPath(new URL('..', import.meta.url));

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const folders = (process.env.PATH ?? '').split(delimiter);
const browserPath = [process.env.CHROMIUM, ...folders.flatMap((f) => NAMES.map((n) => join(f, n)))].find((p) => p && existsSync(p));

/** Why tests in a browser are left out, if so. In CI they are not. */
export const noBrowser = browserPath || process.env.CI === 'true' ? false : 'SKIPPED for want of a Chromium (CHROMIUM may name it)';

/** What WebGL needs where there is no graphics processor. */
const ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export const launched = () => chromium.launch({ executablePath: browserPath, args: ARGUMENTS });

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Serves folders, of which the first that has a file counts, and `files`, contents by their names. `origin` is its address. Pages of other
 * origins may use what it serves if `isShared`.
 */
export async function served(folders, { files = {}, isShared = false } = {}) {
  const content = (name) => {
    if (files[name] !== undefined) return files[name];
    const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path) && statSync(path).isFile());
    return path && readFileSync(path);
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    const name = pathname === '/' ? 'index.html' : decodeURIComponent(pathname.slice(1));
    const found = content(name);
    if (found === undefined) return response.writeHead(404).end();
    const headers = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' };
    response.writeHead(200, isShared ? { ...headers, 'access-control-allow-origin': '*' } : headers).end(found);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** An address in a new page, and what went wrong on it: also requests of other origins than `origins`. */
export async function opened(browser, address, origins = [new URL(address).origin]) {
  const page = await browser.newPage({ viewport: { width: 480, height: 360 } });
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !origins.includes(new URL(url).origin)) faults.push(`request: ${url}`);
  });
  // Only what hangs is given up: machines may be slow and busy.
  page.setDefaultTimeout(240_000);
  await page.goto(address);
  return { page, faults };
}

/** A part of a page as it looks: each pixel as one number. With SHOTS, a folder, the picture is kept there under a name. */
export async function pixelsOf(page, selector, name) {
  const picture = await page.locator(selector).screenshot();
  if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${name}.png`), picture);
  return page.evaluate(async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2]);
  }, picture.toString('base64'));
}
