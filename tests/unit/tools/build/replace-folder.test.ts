import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFolder } from '#tools/build/replace-folder.mjs';

let dist = '';
beforeEach(() => {
  dist = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-dist-'));
  for (const name of ['server', 'server.4711', 'client', 'client.4711']) write(name, 'old');
  fs.writeFileSync(path.join(dist, 'server.stamp'), 'old');
});
afterEach(() => fs.rmSync(dist, { recursive: true, force: true }));

function write(name: string, content: string): void {
  fs.mkdirSync(path.join(dist, name), { recursive: true });
  fs.writeFileSync(path.join(dist, name, 'main.js'), content);
}
const server = () => path.join(dist, 'server');
const content = () => fs.readFileSync(path.join(server(), 'main.js'), 'utf8');

test('a build takes the place of the last one, and removes what killed builds of it left', async () => {
  await replaceFolder(server(), async (draft) => write(path.basename(draft), 'new'));
  expect(content()).toBe('new');
  expect(fs.readdirSync(dist).sort()).toEqual(['client', 'client.4711', 'server']);
});

test('a build that fails leaves the last one, without the stamp that says what it was made of', async () => {
  const failing = replaceFolder(server(), async (draft) => {
    write(path.basename(draft), 'half');
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  expect(content()).toBe('old');
  expect(fs.readdirSync(dist).sort()).toEqual(['client', 'client.4711', 'server']);
});
