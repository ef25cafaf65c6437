// A clip in the output of a cell: the viewer's page in a frame of its own, which gets all its files from the kernel. So it works wherever
// the notebook does, also where the kernel runs on another machine and nothing but messages comes through.

/** The frame shows files of others: it runs nothing but the program, and reaches neither the notebook nor any host. */
const policyOf = (nonce) =>
  `default-src 'none'; script-src 'nonce-${nonce}' blob: 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'`;

/** Runs in the frame: starts the program from parts that come through a port, and drops the clip's files on it. */
async function inFrame(port) {
  const note = document.getElementById('note');
  const waiting = new Map();
  port.onmessage = ({ data: { key, buffers, names } }) => waiting.get(key)?.answer({ buffers, names });
  const ask = (key) => {
    if (!waiting.has(key)) {
      let answer;
      const promise = new Promise((resolve) => (answer = resolve));
      waiting.set(key, { promise, answer });
      port.postMessage(key);
    }
    return waiting.get(key).promise;
  };
  const unpacked = (packed) =>
    new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  /** A file of the page; `undefined` if it has none of that name. */
  const part = async (name) => {
    const [packed] = (await ask(`page/${name}`)).buffers;
    return packed && unpacked(packed);
  };
  const address = (bytes) => URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }));
  try {
    const names = ['page.css', 'viewer.js', 'worker.js', 'viewer_bg.wasm'];
    const [style, own, worker, program] = await Promise.all(names.map(part));
    const text = (bytes) => new TextDecoder().decode(bytes);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text(style));
    document.adoptedStyleSheets = [sheet];
    const script = address(own);
    const second = address(text(worker).replace('./viewer.js', script));
    // The program asks for what stands beside the page; beside this one stands nothing.
    const System = window.Worker;
    window.Worker = function (_, options) {
      return new System(second, options);
    };
    window.fetch = async (url) => {
      const bytes = await part(new URL(url).pathname.split('/').pop());
      return bytes ? new Response(bytes) : new Response(null, { status: 404 });
    };
    const { default: start } = await import(script);
    await start({ module_or_path: program });
    const clip = await ask('clip');
    while (!(window.dopesheet?.first_frame_ms > 0)) await new Promise(requestAnimationFrame);
    const files = new DataTransfer();
    clip.names.forEach((name, i) => files.items.add(new File([clip.buffers[i]], name)));
    document.getElementById('viewer').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true }));
  } catch (error) {
    note.textContent = `The viewer could not be started: ${error.message ?? error}`;
  }
}

function page(nonce) {
  const script = `onmessage = ({ ports }) => { onmessage = null; (${inFrame})(ports[0]); };`;
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(nonce)}">`;
  const body = `<canvas id="viewer"></canvas><p id="note">Loading…</p><script nonce="${nonce}">${script}</script>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${policy}</head><body>${body}</body></html>`;
}

function render({ model, el }) {
  const frame = document.createElement('iframe');
  frame.title = 'Dopesheet';
  frame.sandbox = 'allow-scripts allow-downloads';
  Object.assign(frame.style, { width: '100%', height: `${model.get('height')}px`, border: '0' });
  const { port1: port, port2: theirs } = new MessageChannel();
  frame.onload = () => frame.contentWindow.postMessage(null, '*', [theirs]);
  frame.srcdoc = page(crypto.getRandomValues(new Uint32Array(4)).join(''));
  port.onmessage = ({ data: key }) => model.send({ key });
  const hear = ({ key, names }, views) => {
    const buffers = views.map((view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    port.postMessage({ key, names, buffers }, buffers);
  };
  model.on('msg:custom', hear);
  el.append(frame);
  return () => {
    model.off('msg:custom', hear);
    port.close();
  };
}

export default { render };
