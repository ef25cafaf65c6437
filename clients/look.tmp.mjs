import { openViewer } from './lib/viewer.mjs';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
const S='/work/r1/samples/'; const OUT='/tmp/r1/look'; mkdirSync(OUT,{recursive:true});
const f=(n,as=n)=>({name:as,bytes:readFileSync(S+n)});
const pmx={name:'初音ミク風.pmx',bytes:readFileSync('/work/r1/crates/dopesheet/src/standard/standard.pmx')};
const jump=readFileSync(S+'jump.bvh','utf8');
const cases = {
  dark: [{}, [f('jump.bvh'), f('avatar.vrm')], 'avatar.vrm', true],
  light: [{dark:false}, [f('jump.bvh'), f('avatar.vrm')], 'avatar.vrm', true],
  phone: [{size:[390,844],dark:false}, [f('jump.bvh'), f('avatar.vrm')], 'avatar.vrm', false],
  phonebones: [{size:[390,844]}, [f('jump.bvh'), f('avatar.vrm')], 'avatar.vrm', true],
  fourk: [{size:[3840,2160]}, [f('jump.bvh'), f('avatar.vrm')], 'avatar.vrm', true],
  japanese: [{}, [f('walk.vmd','歩く.vmd'), pmx, f('character.glb')], 'character.glb', true],
  ontopmx: [{dark:false}, [f('jump.bvh'), pmx], pmx.name, true],
};
const only=process.argv.slice(2);
for (const [name,[options,files,figure,bones]] of Object.entries(cases)) {
  if (only.length && !only.includes(name)) continue;
  const page = await openViewer('/usr/bin/chromium', '/work/r1/target/page', options);
  try {
    await page.drop(files);
    await page.until((s)=>s.files.length===files.length,'files');
    await page.settle(); await page.tab.waitForTimeout(500);
    await page.tab.keyboard.press('Space');
    await page.click('Put on'); await page.click('figure'); await page.click(`figure ${figure}`);
    await page.until((s)=>s.busy.length===0 && (s.fitted||s.said),'f');
    await page.click('scrub',[0.45,0.5]);
    await page.tab.waitForTimeout(1500);
    if (bones) { await page.bring('bones'); await page.click('bones'); }
    await page.tab.waitForTimeout(800);
    writeFileSync(`${OUT}/${name}.png`, await page.picture());
    const s=await page.status(); console.log(name, s.verdict, s.said, page.faults);
  } catch (e) { console.log(name, String(e).slice(0,300)); writeFileSync(`${OUT}/${name}-fail.png`, await page.picture()); }
  finally { await page.close(); }
}
