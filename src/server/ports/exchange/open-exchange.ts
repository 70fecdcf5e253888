import type { Clock } from '../../../domain/clock';
import type { Config } from '../../config';
import type { Db } from '../../db/open';
import { StartupError } from '../../startup-error';
import { createPaperExchange, type PaperExchange } from './paper/paper-exchange';
import { createReplayFeed } from './paper/replay-feed';

type ExchangeConfig = Pick<Config, 'exchange' | 'strategyInterval' | 'paperSpeed'>;

/** The exchange that EXCHANGE names. Throws `StartupError` for one that is not offered. */
export async function openExchange(
  { exchange: { kind }, strategyInterval, paperSpeed }: ExchangeConfig,
  { db, clock }: { db: Db; clock: Clock },
): Promise<PaperExchange> {
  if (kind !== 'paper') throw new StartupError(`EXCHANGE: ${kind} is not offered yet; only paper is.`);
  const feed = await createReplayFeed({ db, clock, interval: strategyInterval, speed: paperSpeed, report: console.error });
  return createPaperExchange({ db, feed, close: async () => feed.close() });
}
