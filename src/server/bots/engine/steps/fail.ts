import { HOUR, hasElapsed, MINUTE, SECOND } from '#domain/clock.ts';
import { keyRefusedText, reminderText } from '#server/bots/messages/journal.ts';
import { fatalReason } from '#server/bots/messages/refusals.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import { type KeptPosition, positionOf } from '#server/bots/store/position.ts';
import type { CycleEvent } from '#server/bots/store/record-cycles.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { giveUpClosing } from './close-now.ts';
import { type Cycle, type CycleParts, NeedsUser } from './cycle.ts';

/** Wait after a first failure, doubled with each further one, and the longest wait; ms. */
const FIRST_RETRY = 2 * SECOND;
const LONGEST_RETRY = MINUTE;
/** How long, and how often in a row, the exchange must refuse a key before the bot stops: one wrong answer proves nothing. */
const REFUSED_FOR = 10 * MINUTE;
const REFUSED_TIMES = 3;
/** How often a user hears of a bot in ERROR that holds a position, ms. */
const REMINDER_INTERVAL = HOUR;

/** Ends a cycle that failed: the bot retries later, or stops with ERROR if only its user can fix the error. */
export async function endFailed(parts: CycleParts, bot: BotRow, error: unknown): Promise<void> {
  const { store, log } = parts;
  const now = parts.clock();
  const refusal = fatalReason(error);
  const failures = bot.failures + 1;
  // A clock that was set back counts the refusals from now on.
  const refusedSince = refusal === null ? null : new Date(Math.min(now, bot.refusedSince?.getTime() ?? now));
  const retryAt = new Date(now + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(bot.failures, 10)));
  const ending = { changes: { failures, refusedSince, retryAt } as Partial<BotRow>, events: [] as CycleEvent[] };
  giveUpClosing({ parts, bot, ...ending });
  // The next cycle asks the exchange about the key itself.
  if (refusal !== null) ending.changes.keyCheckedAt = null;
  const reason = error instanceof NeedsUser ? error.message : isLasting(error, { ...bot, failures, refusedSince }, now) ? refusal : null;
  if (bot.status === 'ERROR') remind({ parts, bot, ...ending }, positionOf(bot));
  else if (reason !== null && bot.status !== 'STOPPED') {
    const text = bot.position === null ? reason : `${reason} The open position stays at the exchange, with its stop.`;
    ending.events.push({ actor: 'engine', kind: 'error', text, notify: true });
    Object.assign(ending.changes, { status: 'ERROR', statusReason: reason, remindedAt: new Date(now) } satisfies Partial<BotRow>);
  } else {
    if (refusal !== null && bot.refusedSince === null)
      ending.events.push({ actor: 'exchange', kind: 'key-refused', text: keyRefusedText(refusal, REFUSED_FOR / MINUTE), notify: true });
    const trouble = error instanceof ExchangeError ? error.trouble : undefined;
    log.warn({ bot: bot.id, trouble, err: error }, 'bot cycle failed');
  }
  await store.recordCycle({ before: bot, trades: [], ...ending });
}

/** Whether a refusal of the exchange is more than one wrong answer. Setting up, the user waits for the answer. */
function isLasting(error: unknown, { status, failures, refusedSince }: BotRow, now: number): boolean {
  if (!(error instanceof ExchangeError) || status === 'PROVISIONING') return true;
  return failures >= REFUSED_TIMES && refusedSince !== null && now - refusedSince.getTime() >= REFUSED_FOR;
}

/** Reminds the user of a position whose bot is in ERROR. */
export function remind(
  { parts, bot, changes, events }: Pick<Cycle, 'parts' | 'bot' | 'changes' | 'events'>,
  position: KeptPosition | null,
): void {
  const now = parts.clock();
  if (position === null || !hasElapsed(now, bot.remindedAt?.getTime() ?? 0, REMINDER_INTERVAL)) return;
  changes.remindedAt = new Date(now);
  events.push({ actor: 'engine', kind: 'reminded', text: reminderText(position, bot.statusReason), notify: true });
}
