import { type Channel, channel } from 'node:diagnostics_channel';
import type { ChannelName } from '#contract/notifications/channels.ts';
import type { ExchangeTrouble } from '../ports/exchange/exchange.ts';
import { inSpan } from '../tracing/spans.ts';

/** What the server's parts measure. No field may hold text of a user, because the metrics take each as a label. */
export interface Measurements {
  /** Work on an answer ended. `dropped`: the question was changed, stopped or deleted meanwhile, or the process shuts down. */
  answer: { outcome: 'answered' | 'failed' | 'dropped'; seconds: number };
  exchangeCall: { exchange: string; outcome: 'ok' | ExchangeTrouble; seconds: number };
  /** How many requests a window that ends at `endsAt` (ms) has left of `max`. */
  exchangeBudget: { budget: string; left: number; max: number; endsAt: number };
  providerCall: { provider: 'bucket' | 'coinmarketcap' | 'exchanges' | 'language_model' | 'mail' | 'revenuecat'; outcome: 'ok' | 'error' };
  /** A request to a language model ended, with its tokens and what they cost. */
  modelUse: { input: number; output: number; dollars: number };
  /** An attempt to send a notification ended. */
  delivery: { channel: ChannelName; outcome: 'sent' | 'retry' | 'refused' | 'gone' };
  /** Whether changes of other processes arrive, and how often the connection was lost. */
  listener: { isListening: boolean; lostCount: number };
  /** Whether limits count for all processes. */
  limits: { isShared: boolean };
  /** Whether this process asks the market provider for all processes. */
  marketLeader: { isLeader: boolean };
  /** How far the clock of this process is ahead of PostgreSQL's; negative where it is behind. */
  clock: { aheadSeconds: number };
  /** A socket opened (1) or closed (-1). */
  sockets: { change: 1 | -1 };
}

const channelOf = (kind: keyof Measurements): Channel => channel(`tidemark:${kind}`);

/** Held, because older versions of Node lose the listeners of a channel that was collected and made again (nodejs/node#59910). */
const channels: Record<keyof Measurements, Channel> = {
  answer: channelOf('answer'),
  exchangeCall: channelOf('exchangeCall'),
  exchangeBudget: channelOf('exchangeBudget'),
  providerCall: channelOf('providerCall'),
  modelUse: channelOf('modelUse'),
  delivery: channelOf('delivery'),
  listener: channelOf('listener'),
  limits: channelOf('limits'),
  marketLeader: channelOf('marketLeader'),
  clock: channelOf('clock'),
  sockets: channelOf('sockets'),
};

/** Publishes a measurement. Without metrics, nothing listens and this costs nothing. */
export function measure<Kind extends keyof Measurements>(kind: Kind, what: Measurements[Kind]): void {
  channels[kind].publish(what);
}

/** Measures and traces a call of a provider. `isAnswer` tells the errors that are answers, such as "unknown". */
export async function measureCall<T>(
  provider: Measurements['providerCall']['provider'],
  call: () => Promise<T>,
  isAnswer: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    const answer = await inSpan(provider, { kind: 'client' }, call);
    measure('providerCall', { provider, outcome: 'ok' });
    return answer;
  } catch (error) {
    measure('providerCall', { provider, outcome: isAnswer(error) ? 'ok' : 'error' });
    throw error;
  }
}

/** Calls the listener with each measurement of a kind. Returns a function that ends that. */
export function onMeasured<Kind extends keyof Measurements>(kind: Kind, listener: (what: Measurements[Kind]) => void): () => void {
  const hear = (what: unknown): void => {
    // An error of a subscriber would end the process.
    try {
      listener(what as Measurements[Kind]);
    } catch {}
  };
  channels[kind].subscribe(hear);
  return () => void channels[kind].unsubscribe(hear);
}

/** Seconds since a time of `performance.now()`. */
export const secondsSince = (began: number): number => (performance.now() - began) / 1000;
