import { randomUUID } from 'node:crypto';
import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { moveAccounts } from './change-feed.ts';
import { chooseFeed, demandFeed, holdFeed, keepLastPrice, type PaperFeed, readFeed } from './current-feed.ts';
import { readHistory } from './history.ts';
import { createLivePaperFeed, type LivePaperFeed } from './live/live-paper-feed.ts';
import { createPaperExchange } from './paper-exchange.ts';
import { createReplayFeed, type ReplayFeed } from './replay-feed.ts';

/** Opens the paper exchange on the feed that all processes of the database share. */
export async function openPaper(context: ExchangeContext): Promise<OpenedExchange> {
  const { db, clock, isAlone, mayChangeFeed, paperFeed, publicMarket, paperSpeed, report } = context;
  const owner = isAlone ? undefined : randomUUID();
  const kept = mayChangeFeed ? undefined : await readFeed(db);
  const want = paperFeed ?? kept?.kind ?? ((await publicMarket.isReachable()) ? 'live' : 'replay');
  const chosen = await chooseFeed({
    ...{ db, clock, want, owner, speed: paperSpeed, mayChange: mayChangeFeed },
    historyStart: readHistory()[0]?.time ?? 0,
    onChange: (tx, from, to) => changeFeed(context, tx, from, to),
  });
  const held = owner !== undefined && holdFeed(db, { owner, clock, report });
  const live = chosen.kind === 'live' ? await openLive(context, chosen) : undefined;
  const feed = live ?? openReplay(context, chosen);
  const exchange = createPaperExchange({
    db,
    feed,
    perpetual: live?.perpetual,
    guard: (tx) => demandFeed(tx, chosen.epoch),
    async close() {
      feed.close();
      if (held) await held.close();
    },
  });
  return { exchange, btc: feed };
}

const openReplay = ({ clock, interval, report }: ExchangeContext, anchor: PaperFeed): ReplayFeed =>
  createReplayFeed({ anchor, clock, interval, report });

async function openLive(
  { db, publicMarket, timing, report }: ExchangeContext,
  { id, epoch, ...stored }: PaperFeed,
): Promise<LivePaperFeed> {
  const { lastPrice: price, lastPriceAt: at } = stored;
  return createLivePaperFeed({
    market: publicMarket.open(),
    epoch,
    stored: price === null || at === null ? undefined : { price, at },
    keep: (last) => keepLastPrice(db, id, last),
    timing,
    report,
  });
}

/** Closes all positions at the last price of the feed that ends, and moves accounts and bots to the time of the one that begins. */
async function changeFeed(
  context: ExchangeContext,
  tx: Parameters<ExchangeContext['moveBots']>[0],
  from: PaperFeed,
  to: PaperFeed,
): Promise<void> {
  const replay = from.kind === 'replay' ? openReplay(context, from) : undefined;
  // Live prices have the clock's time.
  const endsAt = replay?.now() ?? to.feedAnchor;
  const price = replay ? replay.priceAt(endsAt) : from.lastPrice;
  await moveAccounts(tx, { endsAt, beginsAt: to.feedAnchor, path: replay && { ...replay, now: () => endsAt }, price });
  await context.moveBots(tx, { by: to.feedAnchor - endsAt, now: to.feedAnchor });
}
