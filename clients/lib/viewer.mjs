// The viewer's page in a Chromium without a window: served from this machine, driven by what `window.dopesheet` says.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm', '.ttf': 'font/ttf' };
const ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** How long anything may take that the page is asked for. */
const PATIENCE_MS = 60_000;

/** After so many frames everything stands where it stays. */
const SETTLED_FRAMES = 5;

/** Serves folders under `/` and below their names; returns the origin, and what ends it. */
function serve(page, folders) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
    const [, first, ...rest] = path.split(/[\\/]/);
    const file = folders[first] ? join(folders[first], ...rest) : join(page, path === '/' ? 'index.html' : path);
    try {
      const bytes = readFileSync(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() });
    });
  });
}

/**
 * Opens the page that is in the folder `page`. `folders` are served below their names. `faults` has what should not have
 * happened: messages of errors on the console, panics, and requests for anything that is not on the page's origin.
 */
export async function openViewer(chromiumPath, page, { folders = {}, size = [1280, 720], query = '', dark = true } = {}) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ARGUMENTS });
  const server = await serve(page, folders);
  const [width, height] = size;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    acceptDownloads: true,
  });
  const tab = await context.newPage();
  const faults = [];
  tab.on('pageerror', (error) => faults.push(`error: ${error}`));
  tab.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  tab.on('crash', () => faults.push('the page crashed'));
  const requests = [];
  tab.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    if (!/^(data|blob):/.test(url) && !url.startsWith(server.origin)) faults.push(`request: ${url}`);
  });
  await tab.goto(`${server.origin}/${query}`);
  const viewer = new Viewer(tab, faults, requests);
  viewer.close = async () => {
    await browser.close();
    server.close();
  };
  await viewer.until((status) => status.first_frame_ms > 0, 'the first frame').catch(async (error) => {
    await viewer.close();
    throw error;
  });
  return viewer;
}

class Viewer {
  constructor(tab, faults, requests) {
    Object.assign(this, { tab, faults, requests });
  }

  /** How the viewer is; see apps/viewer/README.md. */
  status() {
    return this.tab.evaluate(() => window.dopesheet ?? {});
  }

  /** How long the page's thread keeps a processor busy for a frame, in ms: what others do meanwhile does not count. */
  async processorPerFrame(during_ms) {
    const session = await this.tab.context().newCDPSession(this.tab);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy_s = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'ThreadTime').value;
    };
    const before = await busy_s();
    const frames = await this.tab.evaluate(
      (end) =>
        new Promise((resolve) => {
          let count = 0;
          const start = performance.now();
          const next = () => {
            count += 1;
            if (performance.now() - start < end) requestAnimationFrame(next);
            else resolve(count);
          };
          requestAnimationFrame(next);
        }),
      during_ms,
    );
    const after = await busy_s();
    await session.detach();
    return (1000 * (after - before)) / frames;
  }

  /** Red, green and blue of the pixels in a part of the page: left, top, width and height. */
  async pixels([left, top, width, height]) {
    const picture = (await this.picture()).toString('base64');
    return this.tab.evaluate(
      async ({ picture, area }) => {
        const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
        const context = new OffscreenCanvas(area[2], area[3]).getContext('2d');
        context.drawImage(await createImageBitmap(new Blob([bytes])), -area[0], -area[1]);
        const { data } = context.getImageData(0, 0, area[2], area[3]);
        return Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 3)]);
      },
      { picture, area: [left, top, width, height] },
    );
  }

  /** Waits until the status is as it should be, and returns it. */
  async until(isSo, what) {
    const start = Date.now();
    for (;;) {
      const status = await this.status();
      if (isSo(status)) return status;
      if (Date.now() - start > PATIENCE_MS || this.faults.length > 0) {
        const { controls, ...rest } = status;
        throw new Error(`expected ${what}, found ${JSON.stringify(rest)}; ${this.faults.join('; ')}`);
      }
      await this.tab.waitForTimeout(30);
    }
  }

  /** Drops files, each a name and bytes, and waits until all were read. */
  async drop(files) {
    const before = await this.status();
    const count = (status) => ['files', 'failures', 'offers'].reduce((sum, of) => sum + (status[of]?.length ?? 0), 0);
    const packed = files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')]);
    await this.tab.evaluate((packed) => {
      const transfer = new DataTransfer();
      for (const [name, text] of packed) {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      const canvas = document.getElementById('viewer');
      for (const kind of ['dragover', 'drop']) {
        canvas.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    }, packed);
    return this.until((status) => count(status) > count(before), `${files.length} more files`);
  }

  /** The middle of a control, once it is there. */
  async place(name, [x, y] = [0.5, 0.5]) {
    const { controls } = await this.until((status) => status.controls?.[name], `a control "${name}"`);
    const [left, top, width, height] = controls[name];
    return [left + width * x, top + height * y];
  }

  /** Opens what a control is in, unless it is there, and brings it into sight. */
  async show(name, header) {
    await this.settle();
    if (!(await this.status()).controls[name]) {
      await this.bring(header);
      await this.click(header);
    }
    await this.bring(name);
  }

  /** Brings a control of the panel into sight. */
  async bring(name) {
    const { height } = this.tab.viewportSize();
    for (let i = 0; i < 60; i++) {
      const [x, y] = await this.place(name);
      if (y > 200 && y < height - 40) return;
      await this.tab.mouse.move(x, height - 60);
      await this.tab.mouse.wheel(0, y > height / 2 ? 90 : -90);
      await this.settle();
    }
  }

  /** Turns the wheel over one control of a list until another one is in sight. */
  async reveal(name, over) {
    const { height } = this.tab.viewportSize();
    await this.settle();
    const [x, start] = await this.place(over);
    await this.tab.mouse.move(x, Math.min(Math.max(start, 60), height - 60));
    for (let i = 0; i < 40; i++) {
      const [, y] = await this.place(name);
      const [, at] = await this.place(over);
      if (Math.abs(y - start) < 100 && y > 20 && y < height - 20) return;
      await this.tab.mouse.wheel(0, y > start ? 60 : -60);
      await this.settle();
      if (at === (await this.place(over))[1]) return;
    }
  }

  /** Clicks on a control, at a share of its width and height. */
  async click(name, at) {
    await this.settle();
    const [x, y] = await this.place(name, at);
    await this.tab.mouse.click(x, y);
    await this.settle();
  }

  /** Lets some frames pass, and what is said of the last of them arrive. */
  async settle() {
    await this.tab.evaluate(async (frames) => {
      for (let i = 0; i < frames; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, SETTLED_FRAMES);
    await this.tab.waitForTimeout(120);
  }

  /** What a click on a control downloads: its name and bytes. */
  async download(name) {
    const [download] = await Promise.all([this.tab.waitForEvent('download', { timeout: PATIENCE_MS }), this.click(name)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  /** Gives a setting of a conversion a text, or its word; ticks it or takes that back if `value` is `null`. */
  async ask(id, value) {
    const { controls } = await this.status();
    if (value !== null && /^[a-z]+$/.test(value)) {
      await this.click(`option ${id}`);
      return this.click(`option ${id} ${value}`);
    }
    assert.ok(controls[`option ${id}`], `no option ${id}`);
    await this.click(`option ${id}`, value === null ? [0.1, 0.5] : undefined);
    if (value === null) return undefined;
    await this.tab.keyboard.press('ControlOrMeta+A');
    await this.tab.keyboard.press('Delete');
    await this.tab.keyboard.type(value);
    return this.settle();
  }

  picture() {
    return this.tab.screenshot();
  }
}
