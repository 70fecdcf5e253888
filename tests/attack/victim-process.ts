// Another user of the attacked server, in its own process so that the attacker's work does not delay its clock.
// It sends reads and questions at fixed times, without waiting for earlier ones, and reports how long each takes.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, questionOf, type TestSocket } from '../support/server/realtime.ts';
import { createClient } from './client.ts';
import type { Person } from './people.ts';

const READ_EVERY_MS = 100;
/** Rates of all victims together. The server allows each victim 30 questions a minute. */
const ASK_EVERY_MS = 800;
const LOOK_AT_MEMORY_EVERY_MS = 100;
/** Most calls in flight. */
const MAX_WAITING = 200;

export interface Orders {
  url: string;
  serverPid: number;
  victims: Person[];
}

/** Measurements since the last report. Times in ms. */
export interface Sightings {
  reads: number[];
  answers: number[];
  /** Failures by message, with their counts. */
  failures: Record<string, number>;
  /** Highest resident memory of the server, bytes. */
  memory: number;
}

const empty = (): Sightings => ({ reads: [], answers: [], failures: {}, memory: 0 });

let seen = empty();
const waiting = new Set<{ since: number; into: 'reads' | 'answers' }>();

/** Measures one call and records its failure. */
async function time(into: 'reads' | 'answers', call: () => Promise<string | undefined>): Promise<void> {
  if (waiting.size >= MAX_WAITING) return;
  const sample = { since: performance.now(), into };
  waiting.add(sample);
  const failure = await call().catch((error: unknown) => String(error));
  waiting.delete(sample);
  seen[into].push(performance.now() - sample.since);
  if (failure) seen.failures[failure] = (seen.failures[failure] ?? 0) + 1;
}

/** An unanswered call counts with the time it has waited. */
function report(): Sightings {
  const now = performance.now();
  const told = seen;
  for (const { since, into } of waiting) told[into].push(now - since);
  seen = empty();
  return told;
}

function answerTo(socket: TestSocket, { userId }: Person, archiveId: string = randomUUID()): Promise<string | undefined> {
  if (!socket.connected) return Promise.resolve('the socket was disconnected');
  const question = questionOf(userId, { archive_id: archiveId });
  return new Promise((resolve) => {
    const finish = (failure?: string) => {
      clearTimeout(timer);
      socket.off('chat_response', listen);
      resolve(failure);
    };
    const timer = setTimeout(() => finish('no answer within 20 s'), 20_000);
    const listen = ({ chat_id, error }: { chat_id: string; error?: string | undefined }) => {
      if (chat_id === question.client_id) finish(error && `an answer failed: ${error}`);
    };
    socket.on('chat_response', listen);
    socket.emit('chat_message', question, (ack) => {
      if ('error' in ack) finish(`a question was refused: ${ack.error.code}`);
    });
  });
}

async function begin({ url, serverPid, victims }: Orders): Promise<void> {
  const client = createClient(url);
  const [reader] = victims;
  if (!reader) throw new Error('no victim');
  const address = (index: number) => `198.51.100.${10 + index}`;
  const sockets = await Promise.all(
    victims.map(({ accessToken }, index) => connect(url, accessToken, { 'x-forwarded-for': address(index) })),
  );
  const [firstSocket] = sockets;
  const archiveId = randomUUID();
  const failure = firstSocket && (await answerTo(firstSocket, reader, archiveId));
  if (failure) throw new Error(`The victim's first question: ${failure}`);

  const read = (path: string) => async () => {
    const { status, text } = await client.call(path, { token: reader.accessToken, from: address(0) });
    return status === 200 ? undefined : `GET ${path.split('?')[0]} answered ${status} ${status === 0 ? text : ''}`.trim();
  };
  const list = read('/api/coin-market/get-data?limit=100');
  const chats = read(`/api/archive/${archiveId}/chats`);
  setInterval(() => void time('reads', list), READ_EVERY_MS);
  setInterval(() => void time('reads', chats), READ_EVERY_MS);

  let turn = 0;
  setInterval(() => {
    turn = (turn + 1) % victims.length;
    const [socket, victim] = [sockets[turn], victims[turn]];
    if (socket && victim) void time('answers', () => answerTo(socket, victim));
  }, ASK_EVERY_MS);

  setInterval(() => {
    seen.memory = Math.max(seen.memory, memoryOf(serverPid));
  }, LOOK_AT_MEMORY_EVERY_MS);
}

/** Returns bytes, or 0 when the process has exited. */
function memoryOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

process.on('message', (message: Orders | 'report') => {
  if (message === 'report') return process.send?.(report());
  return begin(message).then(
    () => process.send?.('ready'),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group, and the attacker's process ends this one.
process.on('SIGINT', () => undefined);
