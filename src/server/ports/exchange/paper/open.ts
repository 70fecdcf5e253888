import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { createPaperExchange } from './paper-exchange.ts';
import { createReplayFeed } from './replay-feed.ts';

export async function openPaper({ db, clock, interval, paperSpeed, report }: ExchangeContext): Promise<OpenedExchange> {
  const feed = await createReplayFeed({ db, clock, interval, speed: paperSpeed, report });
  return { exchange: createPaperExchange({ db, feed, close: async () => feed.close() }), replay: feed };
}
