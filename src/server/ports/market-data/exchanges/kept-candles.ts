import { type Clock, DAY, HOUR } from '#domain/clock.ts';
import type { CoinCandles, SourcedCandles } from '../coin-candles.ts';
import { type Held, lastGood } from '../last-good.ts';
import { type Answers, aged } from '../shared/answers.ts';

/** What is kept of each coin, and how long it is good, ms: one more candle has closed then. */
const KINDS = { days: { span: 366 * DAY, lifetime: DAY }, hours: { span: 14 * DAY, lifetime: HOUR } };
/** Coins whose candles are in memory; the least recently used ones are evicted first. */
const MAX_COINS = 200;

interface Parts {
  candles: CoinCandles;
  answers: Answers;
  clock: Clock;
}

/** Keeps the candles of coins that users look at, so that a coin costs the exchanges one series for each candle that closes. */
export function createKeptCandles({ candles, answers, clock }: Parts): CoinCandles {
  function keep(kind: keyof typeof KINDS, ask: (id: number, since: number) => Promise<SourcedCandles | undefined>) {
    const { span, lifetime } = KINDS[kind];
    const series = answers.kind<Held<SourcedCandles | null>>(`exchange ${kind}`, {
      max: MAX_COINS,
      aged,
      origin: (id) =>
        lastGood({
          ask: async () => (await ask(Number(id), clock() - span)) ?? null,
          lifetime,
          clock,
          // Callers get the last good candles, or the error.
          onFailure: () => undefined,
        }),
    });
    return async (id: number, since: number): Promise<SourcedCandles | undefined> => {
      const { value } = await series(String(id)).get();
      return value ? { ...value, candles: value.candles.filter(({ time }) => time >= since) } : undefined;
    };
  }

  return { dailyCandles: keep('days', candles.dailyCandles), hourlyCandles: keep('hours', candles.hourlyCandles) };
}
