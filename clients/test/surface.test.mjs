// Surfaces of our test files as GLB: legal, and three.js and glTF-Transform find their colours, all their texture coordinates and the normals of
// their morphs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { NodeIO } from '@gltf-transform/core';
import { load } from '../lib/three-stage.mjs';
import { validate } from '../lib/validator.mjs';
import { NO_COMMAND, ROOT, command, scratch, skipFor } from './programs.mjs';

const skip = skipFor(NO_COMMAND);
const put = scratch();
const fround = (numbers) => numbers.map(Math.fround);

/** A file of the tests as GLB. */
function converted(fixture) {
  const out = put('surface.glb', '');
  const path = join(ROOT, 'formats', fixture);
  const { status, stderr } = spawnSync(command, ['convert', path, '-o', out, '--force']);
  assert.equal(status, 0, String(stderr));
  return out;
}

/** The geometries of a file of the tests after its conversion, and their materials. */
async function surfaces(fixture) {
  const out = converted(fixture);
  const { errors, messages } = await validate(out);
  assert.equal(errors, 0, JSON.stringify(messages));
  const meshes = [];
  (await load(out)).root.traverse((object) => object.isMesh && meshes.push(object));
  return meshes;
}

test('the colours, both sets of coordinates and the morphed normals of an FBX file arrive in three.js', { skip }, async () => {
  const [{ geometry, material }] = await surfaces('fbx/src/fbx/fixtures/valid/surface.fbx');
  const { color, uv, uv1, tangent } = geometry.attributes;
  assert.equal(color.itemSize, 4);
  assert.deepEqual([...color.array.slice(0, 4)], fround([1, 0.5, 0.1, 1]));
  assert.ok(material.vertexColors, 'colours are a factor of the base colour');
  assert.equal(material.map.channel, 1, 'the picture is on the second set');
  assert.equal(tangent.count, 4);
  for (let i = 0; i < uv.count; i++) {
    assert.equal(uv1.getX(i), Math.fround(uv.getX(i) / 3));
    assert.equal(uv1.getY(i), Math.fround(1 - (1 - uv.getY(i)) / 3));
  }
  const [normals] = geometry.morphAttributes.normal;
  const turned = [...Array(normals.count).keys()].filter((i) => normals.getY(i) !== 0);
  assert.deepEqual(turned.map((i) => [normals.getX(i), normals.getY(i), normals.getZ(i)]), [fround([0, 0.1, 0])]);
});

test('the additional coordinates of a PMX file are further sets in three.js', { skip }, async () => {
  const meshes = await surfaces('mmd/src/pmx/fixtures/valid/everything.pmx');
  assert.equal(meshes.length, 2);
  for (const { geometry } of meshes) {
    assert.deepEqual([...geometry.attributes.uv1.array.slice(0, 2)], [0, 0.5]);
    assert.deepEqual([...geometry.attributes.uv2.array.slice(0, 2)], [1, 0.5]);
  }
});

test('the tangents and morphed normals of a PlayCanvas model arrive in three.js', { skip }, async () => {
  const [{ geometry }] = await surfaces('playcanvas/src/model/fixtures/valid/surface.json');
  assert.deepEqual([...geometry.attributes.tangent.array], [1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 1, 1]);
  const normals = geometry.morphAttributes.normal.map((all) => [1].map((i) => all.getY(i))[0]);
  assert.deepEqual(normals, [0.5, 0]);
});

test('glTF-Transform reads the same numbers of a surface', { skip }, async () => {
  const document = await new NodeIO().read(converted('fbx/src/fbx/fixtures/valid/surface.fbx'));
  const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
  const numbers = (owner, name) => [...owner.getAttribute(name).getArray()];
  assert.deepEqual(numbers(primitive, 'COLOR_0').slice(0, 4), fround([1, 0.5, 0.1, 1]));
  const [first, second] = [numbers(primitive, 'TEXCOORD_0'), numbers(primitive, 'TEXCOORD_1')];
  assert.ok(first.length > 0 && first.length === second.length);
  first.filter((_, at) => at % 2 === 0).forEach((u, vertex) => assert.equal(second[2 * vertex], Math.fround(u / 3)));
  const normals = numbers(primitive.listTargets()[0], 'NORMAL');
  assert.deepEqual(normals.filter((number) => number !== 0), fround([0.1]));
  const [material] = document.getRoot().listMaterials();
  assert.equal(material.getBaseColorTextureInfo().getTexCoord(), 1);
});
