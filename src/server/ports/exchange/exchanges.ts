import type { Clock } from '#domain/clock.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { createBybit } from './bybit/bybit.ts';
import type { Exchange } from './exchange.ts';
import { createPaperExchange } from './paper/paper-exchange.ts';
import { createReplayFeed } from './paper/replay-feed.ts';
import type { SimulatedFeed } from './simulated-feed.ts';

type ExchangeConfig = Pick<Config, 'exchange' | 'referral' | 'strategyInterval' | 'paperSpeed'>;

interface Opened {
  exchange: Exchange;
  /** The feed of a paper exchange, which other parts of the demo follow. */
  replay?: SimulatedFeed;
}

/** The exchange that EXCHANGE names. A live one is not asked anything yet, so that it need not be in reach. */
export async function openExchange(
  { exchange: { kind, testnet, baseUrl }, referral, strategyInterval: interval, paperSpeed }: ExchangeConfig,
  { db, clock }: { db: Db; clock: Clock },
): Promise<Opened> {
  const report = console.error;
  if (kind === 'bybit') {
    const { code, affiliate } = referral;
    const ways = { ...(code !== undefined && { code }), ...(affiliate && { affiliate }) };
    return { exchange: await createBybit({ testnet, ...(baseUrl && { baseUrl }), referral: ways, clock, interval, report }) };
  }
  const feed = await createReplayFeed({ db, clock, interval, speed: paperSpeed, report });
  return { exchange: createPaperExchange({ db, feed, close: async () => feed.close() }), replay: feed };
}
