// A notebook in JupyterLab, opened in a Chromium without a window and run from its first cell to its last.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** How long anything may take that JupyterLab is asked for. */
const PATIENCE_MS = 120_000;
const ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** A notebook of some cells of code. */
const notebook = (cells) => ({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3' } },
  cells: cells.map((source, i) => ({ id: `cell-${i}`, cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null })),
});

/** Starts JupyterLab of an interpreter in a folder; resolves to its address. */
function serve(python, folder) {
  const words = ['-m', 'jupyterlab', '--no-browser', '--allow-root', '--ServerApp.ip=127.0.0.1', '--ServerApp.port=0'];
  const env = { ...process.env, HOME: folder, JUPYTER_CONFIG_DIR: join(folder, '.jupyter') };
  const server = spawn(python, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`JupyterLab did not start: ${said}`)), PATIENCE_MS);
    server.on('exit', () => reject(new Error(`JupyterLab ended: ${said}`)));
    server.stderr.on('data', (text) => {
      said += text;
      const [address] = said.match(/http:\/\/127\.0\.0\.1:\d+\/lab\?token=\w+/) ?? [];
      if (!address) return;
      clearTimeout(late);
      resolve({ address: new URL(address), stop: () => server.removeAllListeners('exit').kill() });
    });
  });
}

/** Runs a notebook of these cells; `files` stand beside it, each a name and bytes. */
export async function openNotebook(chromiumPath, python, cells, files) {
  const folder = mkdtempSync(join(tmpdir(), 'dopesheet-notebook-'));
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'test.ipynb'), JSON.stringify(notebook(cells)));
  const { address, stop } = await serve(python, folder);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ARGUMENTS });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'dark' });
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  const close = async () => {
    await browser.close();
    stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await page.goto(`${address.origin}/lab/tree/test.ipynb${address.search}`);
    await page.waitForSelector('.jp-Notebook .jp-CodeCell', { timeout: PATIENCE_MS });
    await page.getByText(/Python 3.*\| Idle/).waitFor({ timeout: PATIENCE_MS });
    await page.getByRole('menuitem', { name: 'Run', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Run All Cells', exact: true }).click();
  } catch (error) {
    await close();
    throw error;
  }
  return { page, requests, origin: address.origin, close, patience_ms: PATIENCE_MS };
}
