import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bytesOf } from '#server/ports/bytes-of.ts';
import { readLimited } from '#server/ports/read-limited.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
let connections = 0;

beforeEach(async () => {
  server = createServer((_, response) => {
    connections += 1;
    response.on('close', () => {
      connections -= 1;
    });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const read = async (patience: number, max = 1000) => {
  const signal = AbortSignal.timeout(patience);
  return readLimited(bytesOf(await fetch(url, { signal }), signal), max);
};

it('reads an answer', async () => {
  answer = (response) => void response.end('whole');
  expect(await read(60_000)).toBe('whole');
});

it('ends an answer that never ends, although fetch has forgotten its signal', async () => {
  answer = (response) => {
    response.write('x');
    const more = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(more));
  };
  const collecting = setInterval(collectGarbage, 20);
  await expect(read(300, 1_000_000)).rejects.toThrow('timeout');
  clearInterval(collecting);
  await vi.waitFor(() => expect(connections).toBe(0));
});

it('closes the connection of an answer that is too long', async () => {
  answer = (response) => void response.write('x'.repeat(2000));
  await expect(read(60_000)).rejects.toThrow('more than 1000 bytes');
  await vi.waitFor(() => expect(connections).toBe(0));
});
