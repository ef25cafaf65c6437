import start from './viewer.js';
start({ module_or_path: './viewer_bg.wasm' }).catch((error) => {
  document.getElementById('note').textContent = `The viewer could not be loaded: ${error.message ?? error}`;
});
