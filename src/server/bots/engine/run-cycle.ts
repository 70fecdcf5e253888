import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { fatalReason } from '../messages/refusals.ts';
import { toRecord } from '../positions/ledger.ts';
import { LostLease } from '../store/bot-lease.ts';
import type { BotRow } from '../store/bots.ts';
import { prepareAccount } from './steps/check-account.ts';
import { checkKey, openKeys } from './steps/check-key.ts';
import { type Cycle, type CycleParts, NeedsUser, observeBot, openCycle } from './steps/cycle.ts';
import { actOnSignal } from './steps/enter.ts';
import { stopBot } from './steps/exit.ts';
import { updatePause } from './steps/pause.ts';
import { protectOrClose } from './steps/protect.ts';
import { giveUpStale, lookUpPending } from './steps/reconcile.ts';
import { reportTrades } from './steps/report-trades.ts';

export type RunBotCycle = (botId: string, candle?: number) => Promise<boolean>;

/**
 * Creates the function that runs one cycle of one bot: lock, observe, decide, act, record. It resolves with false if another worker
 * holds the bot, and rejects if the cycle has to be retried.
 */
export const createRunBotCycle =
  (parts: CycleParts): RunBotCycle =>
  async (botId, candle) => {
    const { store } = parts;
    const bot = await store.claim(botId);
    if (!bot) return false;
    try {
      await runClaimed(parts, bot, candle);
      return true;
    } catch (error) {
      if (error instanceof LostLease) return false;
      await endFailed(parts, bot, error);
      throw error;
    }
  };

async function runClaimed(parts: CycleParts, bot: BotRow, candle: number | undefined): Promise<void> {
  const { store, exchange } = parts;
  const otherExchange = otherExchangeReason(bot, exchange);
  if (otherExchange !== null) return stopWithError(parts, bot, otherExchange);
  // A cycle that recorded an idle bot could overwrite what its user changes meanwhile.
  if (bot.status === 'STOPPED' && bot.position === null && (await store.pendingOrders(bot.id)).length === 0) {
    await store.release({ bot });
    return;
  }
  const account = exchange.account(openKeys(parts, bot), { userId: bot.userId, botId: bot.id, capital: bot.positionSize });
  await runSteps(openCycle(parts, bot, account), candle);
}

async function runSteps(cycle: Cycle, candle: number | undefined): Promise<void> {
  const { parts, bot, changes, events } = cycle;
  const unsent = await lookUpPending(cycle);
  await checkKey(cycle);
  if (bot.status === 'PROVISIONING') await prepareAccount(cycle);
  let view = await observeBot(cycle);
  // Before all other steps: they may place one of these orders again.
  await giveUpStale(cycle, { unsent, view, candle });
  view = await protectOrClose(cycle, view);
  const isRunning = bot.status === 'RUNNING';
  if (isRunning) await updatePause(cycle, view);
  if (bot.status === 'STOPPING') view = await stopBot(cycle, view);
  else if (isRunning && candle !== undefined && candle > (bot.handledCandle ?? 0)) {
    view = await actOnSignal(cycle, view, candle);
    changes.handledCandle = candle;
  }
  reportTrades(cycle, view);
  const { equity, position, guards, fillsSeenTo, trades } = view;
  await parts.store.recordCycle({
    before: bot,
    trades: trades.map(toRecord),
    events,
    changes: { ...changes, equity, position, guards, fillsSeenTo, lastExchangeAt: new Date(parts.clock()) },
  });
}

/** Stops the bot if only its user can fix the error; otherwise leaves it to the next sweep. */
async function endFailed(parts: CycleParts, bot: BotRow, error: unknown): Promise<void> {
  const { store, log } = parts;
  const reason = error instanceof NeedsUser ? error.message : fatalReason(error);
  if (reason !== null) {
    await stopWithError(parts, bot, reason).catch(() => undefined);
    await store.release({ bot }).catch(() => undefined);
    return;
  }
  const trouble = error instanceof ExchangeError ? error.trouble : undefined;
  log.warn({ bot: bot.id, trouble, err: error }, 'bot cycle failed');
  await store.release({ bot, failed: true }).catch(() => undefined);
}

/** Sets the bot to ERROR until its user acts. An open position keeps its stop. */
async function stopWithError({ store }: CycleParts, bot: BotRow, reason: string): Promise<void> {
  if (bot.status === 'ERROR' || bot.status === 'STOPPED') return store.release({ bot });
  const text = bot.position === null ? reason : `${reason} The open position stays at the exchange, with its stop.`;
  await store.recordCycle({
    before: bot,
    trades: [],
    events: [{ actor: 'engine', kind: 'error', text, notify: true }],
    changes: { status: 'ERROR', statusReason: reason },
  });
}
