import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { SECOND } from '#domain/clock.ts';
import { measure } from '../metrics/measurements.ts';
import { withDeadline } from '../with-deadline.ts';
import type { Channel } from './fan-out.ts';
import { pauseAfterFailure } from './pause-after-failure.ts';

/** Times in ms. */
export interface ListenTiming {
  /** Interval of the checks that find a connection whose packets are dropped. */
  check: number;
  /** Time limit of a check and of connecting. */
  limit: number;
  /** First and longest pause before a new connection. */
  firstRetry: number;
  maxRetry: number;
}

const TIMING: ListenTiming = { check: 5 * SECOND, limit: 5 * SECOND, firstRetry: 200, maxRetry: 3 * SECOND };

interface Options {
  channel: Channel;
  /** A message of this process that it hears itself once it listens. */
  testMessage: string;
  hear: (message: string) => void;
  /** Called each time that listening begins. */
  onStart: () => void;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  timing?: Partial<ListenTiming> | undefined;
}

/** Listens to a channel until it is closed, and connects again with growing pauses after a failure. */
export function keepListening({ channel, testMessage, hear, onStart, log, timing }: Options) {
  const { check, limit, firstRetry, maxRetry } = { ...TIMING, ...timing };
  const closing = new AbortController();
  let isListening = false;
  let lostCount = 0;
  let isReported = false;

  /** Connects, and waits until a message of this process arrives: behind PgBouncer, a LISTEN succeeds and hears nothing. */
  async function connect(connection: AbortController): Promise<() => Promise<unknown>> {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const receive = (message: string) => (message === testMessage ? arrive() : hear(message));
    const check = await channel.subscribe(receive, (error) => connection.abort(error), connection.signal);
    await channel.send([testMessage]);
    await arrived;
    return check;
  }

  /** Listens until the connection fails, and throws why. */
  async function listenOnce(connection: AbortController, onOpen: () => void, onProven: () => void): Promise<void> {
    const { signal } = connection;
    const isAnswering = await withDeadline(limit, signal, () => connect(connection));
    isListening = true;
    measure('listener', { isListening, lostCount });
    onOpen();
    for (;;) {
      await pause(check, undefined, { signal, ref: false }).catch(() => undefined);
      await withDeadline(limit, signal, isAnswering);
      onProven();
    }
  }

  async function run(onTried: () => void): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const connection = new AbortController();
      const end = () => connection.abort(closing.signal.reason);
      closing.signal.addEventListener('abort', end);
      const onOpen = () => {
        if (isReported) log.info('changes of other processes arrive again');
        isReported = false;
        onStart();
        onTried();
      };
      const onProven = () => {
        failures = 0;
      };
      const reason = await listenOnce(connection, onOpen, onProven).catch((error: unknown) => error);
      closing.signal.removeEventListener('abort', end);
      connection.abort();
      onTried();
      const wasListening = isListening;
      isListening = false;
      if (closing.signal.aborted) return;
      if (wasListening) lostCount += 1;
      measure('listener', { isListening, lostCount });
      if (!isReported) log.warn({ err: reason }, 'changes of other processes do not arrive');
      isReported = true;
      await pauseAfterFailure(failures, { first: firstRetry, max: maxRetry, signal: closing.signal });
    }
  }

  return {
    /** Resolves after the first attempt. */
    tried: new Promise<void>((resolve) => {
      void run(resolve);
    }),
    isListening: () => isListening,
    lostCount: () => lostCount,
    close: () => closing.abort(new Error('The server is closing')),
  };
}
