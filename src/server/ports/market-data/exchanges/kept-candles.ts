import { type Clock, DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { CoinCandles, CoinHistory, KeptCandles, SourcedCandles } from '../coin-candles.ts';
import { type Held, lastGood } from '../last-good.ts';
import { memo } from '../memo.ts';
import { type Answers, aged } from '../shared/answers.ts';

/** What is kept of each coin, and the length of a candle, ms. */
const KINDS = { days: { span: 366 * DAY, length: DAY }, hours: { span: 14 * DAY, length: HOUR } };
/** Coins whose candles are in memory: at least half of these, which are all that lists show a line of. */
const MAX_COINS = 400;
/** How long candles without the open one are kept, ms: an exchange has none before the first trade. */
const WITHOUT_OPEN = 10 * MINUTE;

/** What an exchange answered; without a source, none trades the coin. */
type Read = { asOf: number } & (SourcedCandles | { source: null });

interface Parts {
  candles: CoinCandles;
  answers: Answers;
  clock: Clock;
}

/** Keeps the candles of coins that users look at, so that a coin costs the exchanges one series for each candle that closes. */
export function createKeptCandles({ candles, answers, clock }: Parts): CoinHistory {
  function keep(kind: keyof typeof KINDS, ask: (id: number, since: number) => Promise<SourcedCandles | undefined>) {
    const { span, length } = KINDS[kind];

    async function read(id: number): Promise<Read> {
      const asOf = clock();
      return { asOf, ...((await ask(id, asOf - span)) ?? { source: null }) };
    }

    /** Returns the time until the next candle opens, ms. */
    function lifetime(value: Read, asked: number): number {
      const left = length - (asked % length);
      const hasOpen = value.source === null || (value.candles.at(-1)?.time ?? 0) + length > asked;
      return hasOpen ? left : Math.min(left, WITHOUT_OPEN);
    }

    const series = answers.kind<Held<Read>>(`coin ${kind}`, {
      max: MAX_COINS,
      isKept: true,
      aged,
      // Callers get the last good candles, or the error.
      origin: (id) => lastGood({ ask: () => read(Number(id)), lifetime, clock, onFailure: () => undefined }),
    });
    const keptOf = memo(({ value, stale }: Held<Read>): KeptCandles | undefined =>
      value.source === null ? undefined : { ...value, stale },
    );
    return async (id: number): Promise<KeptCandles | undefined> => keptOf(await series(String(id)).get());
  }

  return { days: keep('days', candles.dailyCandles), hours: keep('hours', candles.hourlyCandles) };
}
