import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 30_000;

/** Waits until a program on this machine accepts connections at a port. */
export async function untilAccepts(port: number): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await pause(20)) {
    const socket = net.connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`Nothing accepted connections at port ${port} within ${LIMIT_MS} ms.`);
}
