import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { connect, type TestSocket } from '#tests/support/server/realtime.ts';

const EVENTS = 2_000;
const QUICK_EVENTS = 300;
const ACK_MS = 10_000;

type Anything = { emit(name: string, ...args: unknown[]): void };
const NAMES = [
  'chat_message',
  'watch_coins',
  'chat_response',
  'notification',
  '__proto__',
  'constructor',
  'error',
  'a'.repeat(2_000),
  'join',
  '',
];
const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => -1,
  () => Number.MAX_VALUE,
  () => '',
  () => 'x'.repeat(40_000),
  () => '\ud800\u0000',
  () => [],
  () => Array.from({ length: 5_000 }, (_, index) => index),
  () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  () => ({ length: { toString: null } }),
  () => JSON.parse('{"__proto__":{"user_id":1},"constructor":{"prototype":1}}'),
  () => Buffer.alloc(1_000),
];

/** Questions with one field of a wrong type. */
function question(userId: string, random: () => number): Record<string, unknown> {
  const message: Record<string, unknown> = {
    client_id: randomUUID(),
    user_id: userId,
    archive_id: randomUUID(),
    message: 'What is Bitcoin?',
    chat_id: 0,
    chat_image: null,
  };
  const field = Object.keys(message)[Math.floor(random() * 6)] ?? 'message';
  message[field] = VALUES[Math.floor(random() * VALUES.length)]?.();
  return message;
}

export const socketEvents: Attack = {
  name: '2,000 socket events with mistakes in them',
  async run({ client, attackers, random, isQuick, signal }) {
    const wanted = isQuick ? QUICK_EVENTS : EVENTS;
    const failures = new Set<string>();
    const sockets: (TestSocket | undefined)[] = [];
    let [tries, refused, cut] = [0, 0, 0];

    /** Returns the attacker's socket, reopened when the server has closed it; undefined when the server refuses. */
    async function socketOf(index: number): Promise<TestSocket | undefined> {
      const old = sockets[index];
      if (old?.connected) return old;
      if (old) cut += 1;
      old?.disconnect();
      const opened = connect(client.url, attackers[index]?.accessToken, { 'x-forwarded-for': addressIn(0x700 + index, tries) });
      sockets[index] = await opened.catch(() => undefined);
      return sockets[index];
    }

    const judge = (ack: unknown) => {
      const { error } = (ack ?? {}) as { error?: { status?: unknown } };
      if (error === undefined) return;
      refused += 1;
      if (typeof error.status !== 'number' || error.status >= 500)
        failures.add(`an acknowledgement with ${JSON.stringify(error).slice(0, 100)}`);
    };

    while (tries < wanted && !signal.aborted) {
      const index = tries % attackers.length;
      const socket = await socketOf(index);
      tries += 1;
      if (!socket) continue;
      const name = NAMES[Math.floor(random() * NAMES.length)] ?? '';
      const isQuestion = name === 'chat_message' && random() < 0.7;
      const args = isQuestion
        ? [question(attackers[index]?.userId ?? '', random)]
        : Array.from({ length: Math.floor(random() * 4) }, () => VALUES[Math.floor(random() * VALUES.length)]?.());
      try {
        (socket as unknown as Anything).emit(name, ...args, ...(random() < 0.5 ? [judge] : []));
      } catch {
        // The client refuses reserved event names.
      }
      if (tries % 40 === 0) await pause(5);
    }
    await pause(Math.min(1_000, ACK_MS));
    for (const socket of sockets) socket?.disconnect();
    const { status } = await client.call('/healthz');
    if (status !== 200) failures.add(`the server answers ${status} afterwards`);
    return {
      tries,
      isHeld: tries === wanted && failures.size === 0,
      evidence: [...failures].join('; ') || `${refused} refused, ${cut} sockets closed by the server`,
    };
  },
};
