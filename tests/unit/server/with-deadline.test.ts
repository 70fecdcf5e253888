import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { DeadlineExceeded, withDeadline } from '#server/with-deadline.ts';

/** A peer in a thread of its own, which answers while this one is held up. */
const PEER = `
const { parentPort, workerData } = require('node:worker_threads');
const sent = () => Atomics.store(workerData, 0, 1);
const server = require('node:net').createServer((socket) => socket.on('data', () => socket.write('pong', sent)));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

it('ends work that has no answer', async () => {
  await expect(withDeadline(10, undefined, () => new Promise(() => undefined))).rejects.toThrow(DeadlineExceeded);
});

it('takes an answer that came in time and could not be read, because other work held up the process', async () => {
  const answers = new Int32Array(new SharedArrayBuffer(4));
  const peer = new Worker(PEER, { eval: true, workerData: answers });
  const [port] = await once(peer, 'message');
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = withDeadline(300, undefined, async () => {
    socket.write('ping');
    return once(socket, 'data');
  });
  // Longer than the limit; the answer arrives meanwhile, although the peer may have no processor for a while.
  const end = performance.now() + 1_000;
  while (performance.now() < end || (Atomics.load(answers, 0) === 0 && performance.now() < end + 20_000));
  expect(String((await answer)[0])).toBe('pong');
  socket.destroy();
  await peer.terminate();
});
