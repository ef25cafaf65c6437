import init, { open } from 'dopesheet';

self.onmessage = async ({ data: name }) => {
  await init();
  const file = await open(await fetch(new URL(name, self.location.origin)));
  const { data } = file.convert({ to: 'glb' });
  file.free();
  self.postMessage(data, [data.buffer]);
};
