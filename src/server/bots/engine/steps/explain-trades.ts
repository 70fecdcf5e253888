import { SECOND } from '#domain/clock.ts';
import { explainedText } from '#server/bots/messages/journal.ts';
import { type LedgerTrade, pnlOf, toRecord } from '#server/bots/positions/ledger.ts';
import { type Observation, readLedger } from '#server/bots/positions/reconcile.ts';
import type { Cycle } from './cycle.ts';

/** Times of the clock and of fills may differ by rounding, ms. */
const MARGIN = SECOND;

interface Explained {
  trades: LedgerTrade[];
  /** What they change in the bot's money, USD. */
  difference: number;
}

/** Corrects trades that closed without an explanation, once the exchange has reported the executions. */
export async function explainTrades({ parts, bot, account, events }: Cycle, view: Observation): Promise<Explained> {
  const { store, clock, exchange } = parts;
  const { now, speed } = exchange.feed;
  const explained: Explained = { trades: [], difference: 0 };
  for (const { entryId, openedAt, pnl } of await store.unexplained(bot.id)) {
    if (view.trades.some((one) => one.entryId === entryId)) continue;
    const [entry] = await store.orders({ botId: bot.id, clientIds: [entryId] });
    const sentAt = (entry?.createdAt ?? openedAt).getTime();
    const since = now() - (clock() - sentAt) * (speed ?? 1) - MARGIN;
    const ledger = await readLedger(store, bot.id, await account.fills(since));
    const trade = ledger.find((one) => one.entryId === entryId && one.closedAt !== null);
    if (!trade) continue;
    explained.trades.push(trade);
    explained.difference += pnlOf(trade) - pnl;
    const key = `explained:${entryId}`;
    events.push({ actor: 'exchange', kind: 'explained', text: explainedText(toRecord(trade)), key, notify: true });
  }
  return explained;
}
