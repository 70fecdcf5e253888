import { once } from 'node:events';
import net from 'node:net';
import { freePort } from './free-port.ts';

/** Stands between a client and a server, as a network that fails. */
export interface TcpProxy {
  port: number;
  /** Ends every connection. */
  cut(): void;
  /** Refuses new connections, and ends the others. */
  refuse(): void;
  /** Forwards nothing and says nothing, as if all packets were dropped. New connections are accepted and hang too. */
  freeze(): void;
  /** Ends every connection in place of the server's next piece that matches, as if an answer was lost on its way. */
  loseNext(piece: RegExp): void;
  /** Forwards again. Connections that were frozen stay dead. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine. */
export async function startTcpProxy(target: { port: number }): Promise<TcpProxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isFrozen = false;
  let lost: RegExp | undefined;

  const accept = (near: net.Socket) => {
    const far = net.connect(target.port, '127.0.0.1');
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      if (isFrozen && pairs.has(pair)) return;
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('error', end).on('close', end);
    far.on('error', end).on('close', end);
    if (isFrozen) return;
    // Before the pipe, which then writes into a destroyed connection.
    far.on('data', (piece: Buffer) => {
      if (!lost?.test(piece.toString('latin1'))) return;
      lost = undefined;
      cut();
    });
    near.pipe(far);
    far.pipe(near);
  };
  const port = await freePort();
  const server = net.createServer(accept).listen(port, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const pair of [...pairs]) {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    }
  };
  return {
    port,
    cut,
    refuse() {
      server.close();
      cut();
    },
    freeze() {
      isFrozen = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    loseNext(piece) {
      lost = piece;
    },
    async heal() {
      isFrozen = false;
      lost = undefined;
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      cut();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
