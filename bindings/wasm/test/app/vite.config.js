const pages = ['index.html', 'figure.html'];

export default { build: { target: 'es2022', rollupOptions: { input: pages } }, worker: { format: 'es' } };
