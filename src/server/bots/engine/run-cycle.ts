import { inSpan } from '#server/tracing/spans.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { toRecord } from '../positions/ledger.ts';
import { LostLease } from '../store/bot-lease.ts';
import { type BotRow, NO_FAILURES } from '../store/bots.ts';
import { Superseded } from '../store/orders.ts';
import { FOLLOWS_SIGNALS } from './affected-bots.ts';
import { keepLease } from './keep-lease.ts';
import { prepareAccount } from './steps/check-account.ts';
import { checkKey, openKeys } from './steps/check-key.ts';
import { closeNow } from './steps/close-now.ts';
import { type Cycle, type CycleParts, NeedsUser, observeBot, openCycle } from './steps/cycle.ts';
import { actOnSignal } from './steps/enter.ts';
import { stopBot } from './steps/exit.ts';
import { explainTrades } from './steps/explain-trades.ts';
import { endFailed, remind } from './steps/fail.ts';
import { hasLostTooMuch, measureFrom } from './steps/limit-loss.ts';
import { updatePause } from './steps/pause.ts';
import { protectOrClose } from './steps/protect.ts';
import { giveUpStale, lookUpPending } from './steps/reconcile.ts';
import { reportTrades } from './steps/report-trades.ts';

/** @param isOnce whether to skip a bot that has already handled the candle */
export type RunBotCycle = (botId: string, candle?: number, isOnce?: boolean) => Promise<boolean>;

/**
 * Creates the function that runs one cycle of one bot: lock, observe, decide, act, record. It resolves with false if another worker
 * holds the bot or a command of its user came in between, and rejects if the cycle has to be retried.
 */
export const createRunBotCycle =
  (parts: CycleParts): RunBotCycle =>
  (...of) =>
    inSpan('bot cycle', {}, () => runBotCycle(parts, ...of));

async function runBotCycle(parts: CycleParts, botId: string, candle?: number, isOnce = false): Promise<boolean> {
  const { store } = parts;
  const bot = await store.claim(botId);
  if (!bot) return false;
  if (isOnce && candle !== undefined && bot.handledCandle === candle) {
    await store.release(bot);
    return true;
  }
  const endLease = keepLease(store, bot);
  try {
    await runClaimed(parts, bot, candle);
    return true;
  } catch (error) {
    if (error instanceof LostLease) return false;
    if (error instanceof Superseded) {
      await store.release(bot);
      return false;
    }
    await endFailed(parts, bot, error).catch((err: unknown) => parts.log.warn({ bot: bot.id, err }, 'failure of a bot not recorded'));
    throw error;
  } finally {
    endLease();
  }
}

async function runClaimed(parts: CycleParts, bot: BotRow, candle: number | undefined): Promise<void> {
  const { store, exchange } = parts;
  const otherExchange = otherExchangeReason(bot, exchange);
  if (otherExchange !== null) return endFailed(parts, bot, new NeedsUser(otherExchange));
  // A cycle that recorded an idle bot could overwrite what its user changes meanwhile.
  if (bot.status === 'STOPPED' && bot.position === null && !(await hasOpenEnds(parts, bot))) {
    await store.release(bot);
    return;
  }
  const account = exchange.account(openKeys(parts, bot), { userId: bot.userId, botId: bot.id, capital: bot.positionSize });
  await runSteps(openCycle(parts, bot, account), candle);
}

/** Whether a bot without a position waits for the end of an order, or for the executions of a trade. */
const hasOpenEnds = async ({ store }: CycleParts, { id }: BotRow): Promise<boolean> =>
  (await store.pendingOrders(id)).length > 0 || (await store.unexplained(id)).length > 0;

async function runSteps(cycle: Cycle, scheduled: number | undefined): Promise<void> {
  const { parts, bot, changes, events } = cycle;
  // A job may be older than the paper market's current feed, which has a time of its own.
  const candle = scheduled !== undefined && scheduled <= parts.exchange.feed.now() ? scheduled : undefined;
  const unsent = await lookUpPending(cycle);
  await checkKey(cycle);
  if (bot.status === 'PROVISIONING') await prepareAccount(cycle);
  let view = await observeBot(cycle);
  // Before all other steps: they may place one of these orders again.
  await giveUpStale(cycle, { unsent, view, candle });
  view = await protectOrClose(cycle, view);
  const isRunning = bot.status === 'RUNNING';
  if (isRunning) await updatePause(cycle, view);
  const isLimited = hasLostTooMuch(cycle, view);
  if (bot.status === 'STOPPING' || isLimited) view = await stopBot(cycle, view);
  else if (bot.closing !== null) view = await closeNow(cycle, view, bot.closing);
  else if (FOLLOWS_SIGNALS.includes(bot.status) && candle !== undefined && candle > (bot.handledCandle ?? 0)) {
    view = await actOnSignal(cycle, view, candle);
    changes.handledCandle = candle;
  }
  const explained = await explainTrades(cycle, view);
  reportTrades(cycle, view);
  if (bot.status === 'ERROR') remind(cycle, view.position);
  const { position, fillsSeenTo } = view;
  const equity = view.equity + explained.difference;
  const guards = isLimited ? measureFrom(view.guards, equity) : view.guards;
  await parts.store.recordCycle({
    before: bot,
    trades: [...view.trades, ...explained.trades].map(toRecord),
    events,
    changes: { ...NO_FAILURES, ...changes, equity, position, guards, fillsSeenTo, lastExchangeAt: new Date(parts.clock()) },
  });
}
