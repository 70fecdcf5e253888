import { once } from 'node:events';
import net from 'node:net';
import { freePort } from './free-port.ts';

type Side = 'client' | 'server';

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
  /** Forwards half of the next piece of one side that matches, and then refuses, as if the network was gone in the middle of it. */
  breakInside(piece: RegExp, from: Side): void;
  /** Forwards the next piece of a client that matches, and nothing of that client after it. Resolves then. */
  muteAfter(piece: RegExp): Promise<void>;
  /** Forwards again. Connections that were frozen stay dead. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Creates what acts on the next piece that matches, once. */
function createTrap() {
  let awaited: { piece: RegExp; from: Side; acted: () => void } | undefined;
  return {
    /** Resolves when it has acted. */
    await: (piece: RegExp, from: Side) =>
      new Promise<void>((acted) => {
        awaited = { piece, from, acted };
      }),
    cancel() {
      awaited = undefined;
    },
    watch: (from: Side, source: net.Socket, act: (piece: Buffer) => void) =>
      source.on('data', (piece: Buffer) => {
        if (awaited?.from !== from || !awaited.piece.test(piece.toString('latin1'))) return;
        const { acted } = awaited;
        awaited = undefined;
        act(piece);
        acted();
      }),
  };
}

/** Starts a proxy on a free port of this machine. `onPiece` is called with what clients send. */
export async function startTcpProxy(target: { port: number }, onPiece?: (piece: Buffer) => void): Promise<TcpProxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isFrozen = false;
  const [loss, mute, half] = [createTrap(), createTrap(), createTrap()];

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
    if (onPiece) near.on('data', onPiece);
    const breakInside = (source: net.Socket, other: net.Socket) => (piece: Buffer) => {
      pairs.delete(pair);
      source.unpipe(other).destroy();
      other.end(piece.subarray(0, Math.floor(piece.length / 2)), () => other.destroy());
      refuse();
    };
    // Before the pipe, which then writes into a destroyed connection.
    half.watch('client', near, breakInside(near, far));
    half.watch('server', far, breakInside(far, near));
    loss.watch('server', far, cut);
    mute.watch('client', near, () => near.unpipe(far));
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
  const refuse = () => {
    server.close();
    cut();
  };
  return {
    port,
    cut,
    refuse,
    freeze() {
      isFrozen = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    // These two return nothing, because callers go on before the piece comes.
    loseNext: (piece) => void loss.await(piece, 'server'),
    breakInside: (piece, from) => void half.await(piece, from),
    muteAfter: (piece) => mute.await(piece, 'client'),
    async heal() {
      isFrozen = false;
      for (const trap of [loss, mute, half]) trap.cancel();
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
