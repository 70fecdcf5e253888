import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { at, root } from '#tools/root.mjs';
import { ROOMS, roomsOf } from '../changed-rooms.mjs';

test('every source and every room of test:changed exists', () => {
  const paths = [...Object.keys(ROOMS), ...Object.values(ROOMS).flatMap((rooms) => rooms.map((room) => `tests/server/${room}`))];
  expect(paths.filter((path) => !existsSync(at(path)))).toEqual([]);
});

test('every file of src has its rooms', () => {
  const files = readdirSync(at('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => roomsOf(file) === undefined)).toEqual([]);
});

test('every folder of tests/server runs after some change', () => {
  const covered = new Set(Object.values(ROOMS).flatMap((rooms) => rooms.map((room) => room.split('/')[0])));
  expect(readdirSync(at('tests/server')).filter((folder) => !covered.has(folder))).toEqual([]);
});

test('the longest entry decides', () => {
  expect(roomsOf('src/server/operator/main.ts')).toEqual(['operator/operator.test.ts']);
  expect(roomsOf('src/server/operator/erasure/erase.ts')).toEqual(['erasure']);
  expect(roomsOf('src/serverless.ts')).toBeUndefined();
});
