import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/errors.ts';
import type { Rows } from './commands.ts';
import { type Command, command, type Outcome } from './protocol.ts';
import { reaches } from './send-command.ts';
import { pipeOf, placeOf, socketIn } from './socket-path.ts';

/** Characters of a command. A support reply has up to 5,000. */
const MAX_COMMAND = 64 * 1024;

interface Parts {
  dataDir: string;
  run: (asked: Command) => Promise<Rows>;
}

/** Accepts operator commands on a socket file that only the server's own user can open. Logs a warning when it cannot be created. */
export function attachOperator(app: FastifyInstance, { dataDir, run }: Parts): void {
  const connections = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket)).on('error', () => socket.destroy());
    void answer(socket, run, (err) => app.log.error({ err }, 'operator command failed'));
  });
  let remove = (): void => undefined;

  app.addHook('onReady', async () => {
    remove = await bind(server, dataDir).catch((err: unknown) => {
      app.log.warn({ err }, 'operator commands are not available');
      return () => undefined;
    });
  });
  app.addHook('preClose', async () => {
    remove();
    for (const socket of connections) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
}

/** Returns a function that removes the socket file. A second server on the directory keeps the first one's file. */
async function bind(server: net.Server, dataDir: string): Promise<() => void> {
  const pipe = pipeOf(dataDir);
  if (pipe) {
    await listening(server, pipe);
    return () => undefined;
  }
  const place = placeOf(dataDir);
  if (!place) throw new Error('The name of DATA_DIR is too long for a socket.');
  try {
    if (await reaches(socketIn(place.folder))) return () => undefined;
    // Create it in a private folder and move it with its permissions; this also replaces the file of a killed server.
    const hidden = fs.mkdtempSync(path.join(place.folder, '.op-'));
    const draft = path.join(hidden, 's');
    await listening(server, draft);
    fs.chmodSync(draft, 0o600);
    fs.renameSync(draft, socketIn(place.folder));
    fs.rmdirSync(hidden);
    return () => fs.rmSync(socketIn(dataDir), { force: true });
  } finally {
    place.release();
  }
}

const listening = (server: net.Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.unref();
      resolve();
    });
  });

async function answer(socket: net.Socket, run: Parts['run'], report: (error: unknown) => void): Promise<void> {
  let outcome: Outcome;
  try {
    const sent = await line(socket);
    // Another process on the directory only looks whether a server listens.
    if (sent === '') return void socket.end();
    outcome = { rows: await run(command.parse(JSON.parse(sent))) };
  } catch (error) {
    if (!(error instanceof Problem)) report(error);
    outcome = { error: error instanceof Problem ? error.message : 'The command failed. See the server log.' };
  }
  socket.end(`${JSON.stringify(outcome)}\n`);
}

async function line(socket: net.Socket): Promise<string> {
  let read = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    read += chunk;
    if (read.includes('\n')) break;
    if (read.length > MAX_COMMAND) throw new Error('operator command too long');
  }
  return read;
}
