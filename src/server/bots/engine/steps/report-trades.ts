import { hasElapsed } from '#domain/clock.ts';
import { closedText, openedText, UNREPORTED_TEXT } from '#server/bots/messages/journal.ts';
import { toRecord } from '#server/bots/positions/ledger.ts';
import { LATE_FILLS, type Observation } from '#server/bots/positions/reconcile.ts';
import type { Cycle } from './cycle.ts';

/** Close reasons that the engine decided; all others come from the exchange. */
const ENGINE_REASONS: readonly (string | null)[] = ['time', 'trend', 'stopped', 'on request', 'unprotected', 'unsafe', 'feed'];

/** Reports opened and closed trades, and positions that no fill explains. Event keys prevent duplicates. */
export function reportTrades({ parts, events }: Cycle, view: Observation): void {
  for (const trade of view.trades) {
    const { entryId, closedAt, reason } = trade;
    // Its quantity may grow by fills that come late.
    if (view.isUnsettled && closedAt === null) continue;
    const resting = view.position?.entryId === entryId ? view.position : null;
    events.push({ actor: 'engine', kind: 'opened', text: openedText(trade, resting), key: `opened:${entryId}` });
    if (closedAt === null) continue;
    const actor = ENGINE_REASONS.includes(reason) ? 'engine' : 'exchange';
    const notify = reason === 'liquidation' ? 'urgent' : true;
    events.push({ actor, kind: 'closed', text: closedText(toRecord(trade)), key: `closed:${entryId}`, notify });
  }
  const { entryId, unsettledClock } = view.position ?? {};
  if (unsettledClock !== undefined && hasElapsed(parts.clock(), unsettledClock, LATE_FILLS))
    events.push({ actor: 'exchange', kind: 'unreported', text: UNREPORTED_TEXT, key: `unreported:${entryId}`, notify: true });
  if (view.isForeign)
    events.push({
      actor: 'exchange',
      kind: 'foreign',
      text: 'The account has a position that this bot did not open. The bot opens no positions until you close it.',
      key: `foreign:${view.held?.openedAt}`,
      notify: true,
    });
}
