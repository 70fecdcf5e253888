import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Draining } from './draining.ts';

/** Ends each connection with its next answer, so that a proxy sends nothing more over it. */
export function endConnectionsOnDrain(app: FastifyInstance, { isDraining }: Draining): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
}

/** Ends connections without a request when the app closes. Node.js counts them as busy for a minute; browsers open them ahead of need. */
export function endUnusedOnClose(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const use = ({ socket }: { socket: Socket }) => void unused.delete(socket);
  app.server.on('request', use).on('upgrade', use);
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  });
}
