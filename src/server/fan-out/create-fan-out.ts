import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import { idText } from '#contract/text.ts';
import { createRecentMap } from '../recent-map.ts';
import { type Change, type ChangeListener, type Channel, change, type FanOut } from './fan-out.ts';
import { keepListening, type ListenTiming } from './keep-listening.ts';
import { createPublisher } from './publisher.ts';

/** Characters of a message. PostgreSQL takes 8,000 bytes. */
const MAX_MESSAGE = 1_000;

/** How long a start waits for the first attempt to listen, ms. */
const MAX_WAIT = 1_000;

/** Processes whose last numbers are kept: far more than run on one database. */
const MAX_PROCESSES = 1_000;

/** Counts the messages of a process, in the order in which they are sent. Those of earlier versions have none. */
const number = z.optional(z.int().check(z.positive()));

/** A change or a hint and the process that made it, or the notice that a process lost some. Ids alone, so it is short. */
const message = z.union([
  z.extend(change, { from: uuid, number }),
  z.object({ from: uuid, number, kind: z.literal('market'), key: idText }),
  z.object({ from: uuid, kind: z.literal('gap') }),
]);

export interface FanOutOptions {
  log: Pick<FastifyBaseLogger, 'warn' | 'info' | 'debug'>;
  timing?: Partial<ListenTiming> | undefined;
}

/** Creates the fan-out over a channel. Ignores messages of this process, those that come again, and those that it does not understand. */
export function createFanOut(channel: Channel, { log, timing }: FanOutOptions): FanOut {
  const from = randomUUID();
  const publisher = createPublisher({ send: channel.send, gapMessage: JSON.stringify({ from, kind: 'gap' }), log });
  let listening: ReturnType<typeof keepListening> | undefined;
  let onMarket = (_key: string): void => undefined;
  let lastNumber = 0;
  /** Number of the last message that came from each process. */
  const lastHeard = createRecentMap<string, number>(MAX_PROCESSES);

  /** Sends the fields that receivers know. PostgreSQL refuses a whole batch, again and again, for one text that is too long. */
  function send(sent: z.infer<typeof message>): void {
    const parsed = z.safeParse(message, { ...sent, number: lastNumber + 1 });
    if (parsed.success) {
      lastNumber += 1;
      publisher.add(JSON.stringify(parsed.data));
    } else log.warn('a change that receivers would not understand was not sent');
  }

  /** A process sends a batch again when its answer is lost: the receiver may have heard a part of it, or all. */
  function isRepeated(from: string, number: number | undefined): boolean {
    if (number === undefined) return false;
    if (number <= (lastHeard.get(from) ?? 0)) return true;
    lastHeard.set(from, number);
    return false;
  }

  function hear(text: string, { onChange, onGap }: ChangeListener): void {
    const parsed = z.safeParse(message, text.length <= MAX_MESSAGE ? parseJson(text) : undefined);
    if (!parsed.success) log.debug('a message of another program was ignored');
    else if (parsed.data.from === from) return;
    else if (parsed.data.kind === 'gap') onGap();
    else if (isRepeated(parsed.data.from, parsed.data.number)) return;
    else if (parsed.data.kind === 'market') onMarket(parsed.data.key);
    else onChange({ userId: parsed.data.userId, kind: parsed.data.kind, id: parsed.data.id });
  }

  return {
    publish: (change: Change) => send({ ...change, from }),

    listen(listener) {
      listening ??= keepListening({
        channel,
        testMessage: JSON.stringify({ from, kind: 'test' }),
        hear: (text) => hear(text, listener),
        onStart: listener.onGap,
        log,
        timing,
      });
      return Promise.race([listening.tried, pause(MAX_WAIT, undefined, { ref: false })]);
    },

    market: {
      publish: (key) => send({ from, kind: 'market', key }),
      listen(listener) {
        onMarket = listener;
      },
    },

    isListening: () => listening?.isListening() ?? true,
    lostCount: () => listening?.lostCount() ?? 0,

    async close() {
      listening?.close();
      await publisher.close();
      await channel.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
