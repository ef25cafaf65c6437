// Motions on other figures, and changed motions, in the viewer's page: whatever is taken home is what the command writes. Needs
// DOPESHEET_PAGE, the folder that `cargo xtask web` makes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bench, settled, skip } from '../lib/viewer-bench.mjs';
import { ROOT } from './programs.mjs';

const bench = new Bench();

/** A text with two words exchanged. */
function exchanged(text, a, b) {
  return text.replace(new RegExp(`\\b(${a}|${b})\\b`, 'g'), (word) => (word === a ? b : a));
}

/** A triangle and its morph, whose numbers along some axes are 0 and -0 in both orders, with a clip of the morph's weight. */
const BOTH_ZEROS = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }] }],
  animations: [{ channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }], samplers: [{ input: 2, output: 3 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    { bufferView: 0, byteOffset: 36, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] },
    { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 1, byteOffset: 8, componentType: 5126, count: 2, type: 'SCALAR' },
  ],
  bufferViews: [{ buffer: 0, byteLength: 72, target: 34962 }, { buffer: 0, byteOffset: 72, byteLength: 16 }],
  buffers: [
    {
      byteLength: 88,
      uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAACAAACAPwAAAAAAAAAAAAAAgAAAgD8AAAAAAAAAAAAAAIAAAAAAAAAAgAAAAAAAAAAAAAAAgAAAAAAAAACAAAAAAAAAgD8AAAAAAACAPw==',
    },
  ],
};

test('bounds of 0 and -0 are those of the command to the byte', { skip }, async () => {
  await bench.withPage(async (page) => {
    await page.drop([bench.put('zeros.gltf', Buffer.from(JSON.stringify(BOTH_ZEROS)))]);
    await page.click('Export');
    await page.click('options');
    await page.ask('range', '0:1');
    const { name, bytes } = await bench.take(page, 'glb');
    const { command } = await page.status();
    bench.run(...command);
    bench.same(bytes, name, command[0]);
    assert.doesNotMatch(bytes.toString('latin1'), /"(min|max)":\[[^\]]*-0[,\]]/);
  });
});

test('an exchanged pair of bones is mended in the table, and undone and done again', { skip }, async () => {
  const jump = readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8');
  const motion = bench.put('crossed.bvh', Buffer.from(exchanged(jump, 'LeftArm', 'RightArm')));
  const figure = bench.put('avatar.vrm');
  await bench.withPage(async (page) => {
    const before = await bench.putOn(page, motion, figure);
    assert.deepEqual(before.bones.leftUpperArm.map(([node]) => node)[0], 'LeftArm');
    await page.click('show bone');
    await page.until((status) => status.controls['bone motion leftUpperArm'], 'the row of the bone');
    await page.show('bone motion leftUpperArm', 'bones');
    await page.click('bone motion leftUpperArm');
    await page.reveal('node RightArm', 'node LeftArm');
    await page.click('node RightArm');
    const mended = await page.until((status) => settled(status) && status.bones.leftUpperArm[0][0] === 'RightArm', 'the other bone');
    assert.deepEqual(mended.bones.leftUpperArm[0], ['RightArm', 'chosen']);
    assert.deepEqual(mended.bones.rightUpperArm[0], ['LeftArm', 'chosen'], 'the pair was exchanged');
    assert.equal(mended.exchanged, 'RightArm is leftUpperArm now, and LeftArm took its place as rightUpperArm.');
    assert.ok(before.off.length > 0 && mended.off.length === 0, `${before.off}; ${mended.off}`);
    assert.ok(mended.fitted, mended.said);
    assert.notEqual(mended.verdict, before.verdict);
    assert.match(mended.command.at(-1), /--map bones.json/);
    await bench.shoot('mended', page);
    await page.tab.keyboard.press('ControlOrMeta+z');
    await page.until((status) => settled(status) && status.bones.leftUpperArm[0][0] === 'LeftArm' && status.verdict === before.verdict, 'the bones before');
    await page.tab.keyboard.press('ControlOrMeta+Shift+z');
    await page.until((status) => settled(status) && status.verdict === mended.verdict, 'the mended bones again');
    await page.show('save bones.json', 'command');
    const map = await page.download('save bones.json');
    assert.equal(map.name, 'bones.json');
    bench.put(map.name, map.bytes);
    const { bytes } = await bench.take(page, 'glb');
    bench.run(...(await page.status()).command);
    bench.same(bytes, 'crossed on avatar.glb', 'with a map');
  });
});

test('bones mended for a motion are not used for the next one, and come back with it', { skip }, async () => {
  const jump = readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8');
  const motion = bench.put('crossed.bvh', Buffer.from(exchanged(jump, 'LeftArm', 'RightArm')));
  const putOn = async (page, name) => {
    await page.click('Put on');
    await page.click('figure');
    await page.click('figure avatar.vrm');
    return page.until((status) => settled(status) && status.active === name && (status.fitted || status.said), `${name} on the avatar`);
  };
  await bench.withPage(async (page) => {
    await bench.putOn(page, motion, bench.put('avatar.vrm'));
    await page.click('show bone');
    await page.until((status) => status.controls['bone motion leftUpperArm'], 'the row of the bone');
    await page.show('bone motion leftUpperArm', 'bones');
    await page.click('bone motion leftUpperArm');
    await page.reveal('node RightArm', 'node LeftArm');
    await page.click('node RightArm');
    const mended = await page.until((status) => settled(status) && status.bones.leftUpperArm[0][0] === 'RightArm', 'the other bone');
    await page.drop([bench.put('walk.vmd')]);
    const walk = await putOn(page, 'walk.vmd');
    assert.deepEqual([walk.said, walk.fitted], ['', 'walk on avatar.vrm']);
    assert.doesNotMatch(walk.command.at(-1), /--map/);
    await page.click('file');
    await page.click('file crossed.bvh');
    const again = await putOn(page, 'crossed.bvh');
    assert.deepEqual([again.bones.leftUpperArm[0], again.verdict], [['RightArm', 'chosen'], mended.verdict]);
    assert.match(again.command.at(-1), /--map bones.json/);
  });
});

test('pictures and loops are of the figure that took the motion', { skip }, async () => {
  await bench.withPage(async (page) => {
    const { end_s } = await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    const cut = async (key, at) => {
      await page.click('scrub', [at, 0.5]);
      await page.tab.keyboard.press(key);
    };
    await cut('[', 0.4);
    await cut(']', 0.6);
    await page.click('Export');
    await bench.shoot('seen', page);
    for (const [button, name, tag] of [['View as PNG', 'jump on avatar.png', 'PNG'], ['Loop as APNG', 'jump on avatar.apng', 'PNG'], ['Loop as GIF', 'jump on avatar.gif', 'IF8']]) {
      const picture = await page.download(button);
      assert.deepEqual([picture.name, picture.bytes.toString('latin1', 1, 4)], [name, tag]);
      bench.keep(name, picture.bytes);
      if (!name.endsWith('.apng')) continue;
      const pictures = picture.bytes.readUInt32BE(picture.bytes.indexOf('acTL') + 4);
      assert.ok(Math.abs(pictures - (0.2 * end_s) / 0.04) < 2, `${pictures} pictures of a fifth of ${end_s} s`);
    }
  });
});

test('a range set on the bar trims a motion that has frames', { skip }, async () => {
  await bench.withPage(async (page) => {
    await page.drop([bench.put('walk.vmd')]);
    await page.click('play');
    await page.click('scrub', [0.313, 0.5]);
    await page.tab.keyboard.press('[');
    await page.click('scrub', [0.617, 0.5]);
    await page.tab.keyboard.press(']');
    await page.click('Change');
    await page.click('apply');
    const { said, command } = await page.until((status) => settled(status) && (status.changes === 1 || status.said), 'the trim');
    assert.equal(said, '');
    const { name, bytes } = await page.download('save');
    bench.run(command[0]);
    bench.same(bytes, join('changed', name), command[0]);
  });
});

test('names that both files have are mended in the motion alone', { skip }, async () => {
  const jump = readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8');
  const motion = bench.put('crossed.bvh', Buffer.from(exchanged(jump, 'LeftArm', 'RightArm')));
  const figure = bench.put('figure.bvh', Buffer.from(jump));
  await bench.withPage(async (page) => {
    await bench.putOn(page, motion, figure);
    await page.show('bone motion leftUpperArm', 'bones');
    await page.click('bone motion leftUpperArm');
    await page.reveal('node RightArm', 'node LeftArm');
    await page.click('node RightArm');
    const { bones } = await page.until((status) => settled(status) && status.bones.leftUpperArm[0][0] === 'RightArm', 'the other bone');
    assert.deepEqual(bones.leftUpperArm, [['RightArm', 'chosen'], ['LeftArm', 'certain']]);
    await page.show('save bones.json', 'command');
    const map = await page.download('save bones.json');
    bench.put(map.name, map.bytes);
    const { name, bytes } = await bench.take(page, 'glb');
    bench.run(...(await page.status()).command);
    bench.same(bytes, name, 'with a map');
  });
});

test('of two figures in one file one is chosen', { skip }, async () => {
  const motion = bench.put('two.bvh', Buffer.from(twoFigures(readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8'))));
  await bench.withPage(async (page) => {
    const { bones } = await bench.putOn(page, motion, bench.put('avatar.vrm'));
    assert.equal(bones.hips[0][0], 'Hips');
    await page.bring('person of the motion');
    await page.click('person of the motion');
    await page.click('person second:Hips');
    await page.until((status) => settled(status) && status.bones.hips[0][0] === 'second:Hips', 'the second figure');
    const { name, bytes } = await bench.take(page, 'glb');
    const { command } = await page.status();
    assert.match(command[0], /--person=2:1/);
    bench.run(...command);
    bench.same(bytes, name, command[0]);
  });
});

test('the first of two figures is chosen without the second before', { skip }, async () => {
  const motion = bench.put('two.bvh', Buffer.from(twoFigures(readFileSync(join(ROOT, 'samples/jump.bvh'), 'utf8'))));
  await bench.withPage(async (page) => {
    await bench.putOn(page, motion, bench.put('avatar.vrm'));
    await page.bring('person of the motion');
    await page.click('person of the motion');
    await page.click('person Hips');
    await page.until((status) => settled(status) && /--person=1:1/.test(status.command[0]), 'the first figure');
  });
});

test('a figure is raised and lowered by a slider as the command does it', { skip }, async () => {
  await bench.withPage(async (page) => {
    const { verdict } = await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    for (const [at, sign] of [[0.1, '-'], [0.5, '']]) {
      await page.click('Put on');
      await page.bring('slider raise');
      await page.click('slider raise', [at, 0.5]);
      const asked = new RegExp(`--raise=${sign}[0-9.]+cm`);
      const status = await page.until((status) => settled(status) && asked.test(status.command[0]), `a height of ${sign}`);
      assert.equal(status.verdict, verdict, 'soles are on the ground that was asked for');
      const { name, bytes } = await bench.take(page, 'glb');
      bench.run(...status.command);
      bench.same(bytes, name, status.command[0]);
      await bench.shoot(`raised${sign}`, page);
    }
  });
});

test('of several clips the shown one is put on and judged', { skip }, async () => {
  const avatar = bench.put('avatar.vrm');
  bench.put('walk.vmd');
  bench.put('jump.bvh');
  bench.run('dopesheet convert jump.bvh --onto avatar.vrm -o first.glb', 'dopesheet convert walk.vmd --onto first.glb -o clips.glb');
  const clips = bench.put('clips.glb', bench.read('clips.glb'));
  await bench.withPage(async (page) => {
    const { stands, end_s } = await bench.putOn(page, clips, avatar);
    await page.click('clip');
    await page.click('clip walk');
    const walk = await page.until((status) => settled(status) && status.stands !== stands, 'the stands of the walk');
    assert.ok(walk.end_s > end_s, `${walk.end_s} s`);
    const { name, bytes } = await bench.take(page, 'glb');
    const { command } = await page.status();
    assert.doesNotMatch(command[0], /--clip/);
    bench.run(...command);
    bench.same(bytes, name, 'all clips are taken home');
    await page.click('Put on');
    await page.bring('option clip');
    await page.ask('clip', '#0');
    await page.until((status) => settled(status) && status.end_s === end_s && status.stands === stands, 'the clip of the choice');
  });
});

/** A BVH with its figure and a second one, which plays backwards and has names of its own. */
function twoFigures(text) {
  const [head, motion] = text.split('MOTION');
  const root = head.slice(head.indexOf('ROOT'));
  const [frames, time, ...rows] = motion.trim().split('\n');
  const both = rows.map((row, at) => `${row.trim()} ${rows[rows.length - 1 - at].trim()}`);
  return ['HIERARCHY', root, root.replace(/(ROOT|JOINT) /g, '$1 second:'), 'MOTION', frames, time, ...both, ''].join('\n');
}

/** Operations of the menu: a word, and its options. */
const OPERATIONS = [
  ['trim', { range: '0.1:0.5' }],
  ['delete', { range: '0.2:0.4', snap: true }],
  ['mirror', {}],
  ['reverse', {}],
  ['retime', { speed: '0.5' }],
  ['shift', { by: '0.1' }],
  ['loop', { over: '0.2' }],
  ['repeat', { times: '2' }],
  ['reduce', { tolerance: '1cm' }],
];

for (const [name, source] of [['walk.vmd'], ['jump.bvh'], ['jump.glb', 'jump.bvh']]) {
  test(`each operation of the menu makes of ${name} what the command makes`, { skip }, async () => {
    const file = bench.put(name, source && bench.converted(source, bench.put(source).bytes, name));
    await bench.withPage(async (page) => {
      await page.drop([file]);
      await page.click('play');
      await page.click('Change');
      for (const [word, options] of OPERATIONS) {
        await page.click('operation');
        await page.reveal(`operation ${word}`, 'operation loop');
        await page.click(`operation ${word}`);
        for (const [option, value] of Object.entries(options)) {
          await page.click(`change ${option}`, value === true ? [0.1, 0.5] : undefined);
          if (value !== true) await page.tab.keyboard.type(value);
        }
        await page.click('apply');
        const { command } = await page.until((status) => settled(status) && (status.changes === 1 || status.said), `the ${word}`);
        assert.match(command[0], new RegExp(`-e .?${word}`));
        const { name: saved, bytes } = await page.download('save');
        assert.equal(saved, name);
        bench.run(command[0]);
        bench.same(bytes, join('changed', name), command[0]);
        if (word === 'trim') await bench.shoot(`changed-${name}`, page);
        await page.click('Undo');
        await page.until((status) => settled(status) && status.changes === 0, 'the file as it was');
      }
    });
  });
}

test('names and curves of operations are files that the command names', { skip }, async () => {
  await bench.withPage(async (page) => {
    await page.drop([bench.put('jump.bvh')]);
    await page.click('play');
    await page.click('Change');
    for (const [word, option, value] of [['mirror', 'names', '{"Neck": "Head"}'], ['retime', 'curve', '[[0, 0], [0.5, 1]]']]) {
      await page.click('operation');
      await page.click(`operation ${word}`);
      await page.click(`change ${option}`);
      await page.tab.keyboard.type(value);
      await page.click('apply');
      await page.until((status) => settled(status) && (status.changes > 0 || status.said), `the ${word}`);
    }
    const { command, changes, said } = await page.until((status) => settled(status) && status.changes === 2, 'both operations');
    assert.deepEqual([changes, said], [2, '']);
    await page.show('save jump-retime-2.txt', 'edit command');
    for (const name of ['jump-mirror-1.json', 'jump-retime-2.txt']) {
      const saved = await page.download(`save ${name}`);
      assert.equal(saved.name, name);
      bench.put(name, saved.bytes);
    }
    const { name, bytes } = await page.download('save');
    bench.run(command[0]);
    bench.same(bytes, join('changed', name), command[0]);
  });
});

test('a figure with a clip of its own plays the motion that it takes', { skip }, async () => {
  bench.put('avatar.vrm');
  bench.put('walk.vmd');
  bench.run('dopesheet convert walk.vmd --onto avatar.vrm -o walking.glb');
  await bench.withPage(async (page) => {
    await page.drop([bench.put('jump.bvh')]);
    const { end_s } = await page.status();
    await page.drop([bench.put('walking.glb', bench.read('walking.glb'))]);
    await page.click('file');
    await page.click('file jump.bvh');
    await page.click('Put on');
    await page.click('figure');
    await page.click('figure walking.glb');
    const fitted = await page.until((status) => settled(status) && status.fitted, 'the figure with the motion');
    assert.equal(fitted.end_s, end_s, 'its own clip is longer');
  });
});

test('a changed motion is put onto a figure as the lines of the command do it', { skip }, async () => {
  await bench.withPage(async (page) => {
    await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    await page.click('Change');
    await page.click('operation');
    await page.click('operation mirror');
    await page.click('apply');
    await page.until((status) => settled(status) && status.changes === 1 && status.fitted, 'the mirrored motion');
    await page.click('operation');
    await page.click('operation reverse');
    await page.click('apply');
    await page.until((status) => settled(status) && status.changes === 2, 'the motion backwards');
    const { bytes } = await bench.take(page, 'vrma');
    const { command, steps } = await page.status();
    bench.run(...command);
    bench.same(bytes, 'jump on avatar.vrma', command.join('; '));
    assert.deepEqual(steps.slice(-2), ['mirror', 'reverse']);
  });
});

test('stands are bars below the time, and the worst moment is one click away', { skip }, async () => {
  await bench.withPage(async (page) => {
    const { worst_s, stands } = await bench.putOn(page, bench.put('jump.bvh'), bench.put('avatar.vrm'));
    assert.ok(stands > 0 && worst_s >= 0, `${stands} stands, ${worst_s} s`);
    await page.click('worst moment');
    await page.until((status) => Math.abs(status.time_s - worst_s) < 1e-6 && !status.is_playing, 'the worst moment');
    await page.place('stands');
    await bench.shoot('stands', page);
  });
});
