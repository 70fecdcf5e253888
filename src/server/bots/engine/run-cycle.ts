import type { FastifyBaseLogger } from 'fastify';
import { KEY_WARN_DAYS, SILENCE } from '#domain/bots/bot-alarms.ts';
import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { type Exchange, type ExchangeAccount, ExchangeError, type KeyFacts, type Keys } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { type KeySafe, UnknownKeyVersion, UnreadableKey } from '../keys/key-safe.ts';
import { closedText, openedText, refusedText, usd } from '../messages/journal.ts';
import { elsewhere } from '../messages/money.ts';
import { fatalReason, keyRefusal } from '../messages/refusals.ts';
import { look, type View } from '../positions/reconcile.ts';
import type { AccessOf } from '../store/access.ts';
import type { Desk } from '../store/batched-store.ts';
import { LostLease } from '../store/bot-lease.ts';
import type { BotRow, OrderRow } from '../store/bots.ts';
import { lookUp, send, settleAs } from '../store/orders.ts';
import type { News } from '../store/record.ts';
import { decideNow, pauseOf, spoiled } from './steps/decide.ts';

/** Keys are checked again this often, ms. */
const KEY_CHECK = DAY;
/** What is known of a user's access is believed this long, ms. */
const ACCESS_KEPT = MINUTE;

export interface TendParts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  safe: KeySafe;
  accessOf: AccessOf;
  desk: Desk;
  /** The signal of a candle, by its opening time; undefined where there is none. */
  signalOf: (candle: number) => Promise<Signal | undefined>;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

export type Tend = (botId: string, candle?: number) => Promise<boolean>;

/**
 * Looks after one bot: settles what is unclear, sees what the exchange did, and does what its status and the candle's
 * signal ask for. False where another worker is at it. Rejects with ExchangeError where it has to be tried again.
 */
export function createTend(parts: TendParts): Tend {
  const { exchange, log, desk } = parts;

  return async (botId, candle) => {
    const bot = await desk.claim(botId);
    if (!bot) return false;
    try {
      const away = elsewhere(bot, exchange);
      if (away !== null) {
        await breakDown(parts, bot, away);
        return true;
      }
      // Whoever comes late must not write over what its user changes now.
      if (bot.status === 'STOPPED' && bot.position === null && (await desk.unsettled(botId)).length === 0) {
        await desk.release({ bot });
        return true;
      }
      const account = exchange.account(openKeys(parts, bot), { userId: bot.userId, botId, capital: bot.positionSize });
      await createVisit(parts, bot, account).run(candle);
      return true;
    } catch (error) {
      if (error instanceof LostLease) return false;
      const reason = error instanceof Unfit ? error.message : fatalReason(error);
      if (reason !== null) {
        await breakDown(parts, bot, reason).catch(() => undefined);
        await desk.release({ bot }).catch(() => undefined);
      } else {
        const trouble = error instanceof ExchangeError ? error.trouble : undefined;
        log.warn({ bot: botId, trouble, err: error }, 'a bot was not looked after');
        await desk.release({ bot, unfinished: true }).catch(() => undefined);
      }
      throw error;
    }
  };
}

/**
 * While SECRETS_KEY changes, another process may hold the key that this one lacks: the bot waits for that process, and breaks
 * down only when no process could open its keys for a while.
 */
function openKeys({ safe, clock }: TendParts, { id, sealedKeys, lastExchangeAt }: BotRow): Keys {
  try {
    return safe.open(id, sealedKeys);
  } catch (error) {
    const isWaiting = clock() - (lastExchangeAt?.getTime() ?? 0) < SILENCE;
    throw error instanceof UnknownKeyVersion && !isWaiting ? new UnreadableKey() : error;
  }
}

/** What is wrong can only be mended by the bot's user. The message says it to them. */
class Unfit extends Error {}

/** The bot trades no more until its user does something. A position keeps its stop. */
async function breakDown(parts: TendParts, bot: BotRow, reason: string): Promise<void> {
  if (bot.status === 'ERROR' || bot.status === 'STOPPED') return parts.desk.release({ bot });
  const text = bot.position === null ? reason : `${reason} The open position stays at the exchange, with its stop.`;
  const news: News[] = [{ actor: 'engine', kind: 'error', text, tell: true }];
  await parts.desk.record({ before: bot, trades: [], news, set: { status: 'ERROR', statusReason: reason } });
}

const accessKnown = new WeakMap<AccessOf, Map<string, { until: number; message: string | null }>>();

/** Why a user's bots may open nothing; null where they may. */
async function accessMessage({ db, accessOf, clock }: TendParts, userId: string): Promise<string | null> {
  const known = accessKnown.get(accessOf) ?? new Map();
  accessKnown.set(accessOf, known);
  const hit = known.get(userId);
  if (hit && hit.until > clock()) return hit.message;
  const access = await accessOf(db, userId);
  const message = access.allowed ? null : access.message;
  known.set(userId, { until: clock() + ACCESS_KEPT, message });
  return message;
}

function createVisit(parts: TendParts, bot: BotRow, account: ExchangeAccount) {
  const { clock, desk, exchange } = parts;
  const hand = { desk, bot, account };
  const news: News[] = [];
  const set: Partial<BotRow> = {};
  const say = (event: News) => void news.push(event);
  const see = () => look({ desk, clock, exchange, bot, account });

  /** Sends an order that closes what the bot holds; under the same name until the exchange has had its word. */
  async function close({ entryId, side, quantity }: NonNullable<View['position']>, reason: string, candle: number | null): Promise<void> {
    const key = `${entryId}:${await desk.failedCloses(bot.id)}`;
    const direction = side === 'long' ? 'sell' : 'buy';
    const order = await send(hand, { purpose: 'close', key, candle, direction, quantity, reason });
    if (order.state === 'rejected')
      say({ actor: 'exchange', kind: 'refused', text: 'The exchange refused to close the position; it is tried again.' });
  }

  /** A position without a stop never lasts. */
  async function protectOrClose(view: View): Promise<View> {
    const { position } = view;
    if (!position || position.stop !== null || view.snapshot.position?.side !== position.side) return view;
    const [entry] = await desk.orders({ botId: bot.id, clientIds: [position.entryId] });
    try {
      if (entry?.stop == null) throw new ExchangeError('rejected', 'no stop is known');
      await account.protect(entry.stop, entry.target);
      say({ actor: 'engine', kind: 'protected', text: `The position had no stop; it was set again at ${usd(entry.stop)}.`, tell: true });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      await close(position, 'unprotected', null);
      say({ actor: 'engine', kind: 'unprotected', text: 'No stop could be set for the position, so it is closed at market.', tell: true });
    }
    return see();
  }

  /** Settles what was left open when a worker last looked. What is returned never reached the exchange. */
  async function clearUp(): Promise<OrderRow[]> {
    return (await lookUp(hand, await desk.unsettled(bot.id))).filter(({ state }) => state === 'intended');
  }

  /** Whether an entry comes too late. A sweep may know of an earlier candle than whoever wrote it down. */
  const isPast = (entered: number, candle: number | undefined): boolean => {
    const { interval, now } = exchange.feed;
    return entered < (candle ?? 0) || now() >= entered + 2 * interval;
  };

  /** Gives up what was never sent: an entry of an earlier candle, and an order to close where nothing is held. */
  async function giveUp(unsent: readonly OrderRow[], view: View, candle: number | undefined): Promise<void> {
    for (const row of unsent) {
      const wanted = row.purpose === 'entry' ? bot.status === 'RUNNING' && !isPast(row.candle ?? 0, candle) : view.position !== null;
      if (!wanted) await settleAs(hand, row, 'cancelled', 'never sent');
    }
  }

  async function checkKeys(): Promise<KeyFacts | undefined> {
    const now = clock();
    const due = bot.status === 'PROVISIONING' || now - (bot.keyCheckedAt?.getTime() ?? 0) >= KEY_CHECK;
    if (!due || bot.status === 'STOPPED' || bot.status === 'ERROR') return undefined;
    const facts = await account.check();
    set.keyCheckedAt = new Date(now);
    set.keyExpiresAt = facts.expiresAt === null ? null : new Date(facts.expiresAt);
    const daysLeft = facts.expiresAt === null ? Number.POSITIVE_INFINITY : (facts.expiresAt - now) / DAY;
    const warn = KEY_WARN_DAYS.find((days) => daysLeft <= days);
    if (warn !== undefined && warn !== bot.keyWarnedDays) {
      set.keyWarnedDays = warn;
      const text = `The API key ends in less than ${warn === 1 ? 'a day' : `${warn} days`}. Please renew it at the exchange, or replace it in the bot's settings: without a key the bot cannot look after its position.`;
      say({ actor: 'engine', kind: 'key-ends', text, key: `key-ends:${facts.expiresAt}:${warn}`, tell: true });
    }
    const refusal = keyRefusal(facts);
    // What is on its way out may still be wound up.
    if (refusal && bot.status !== 'STOPPING') throw new Unfit(refusal.message);
    return facts;
  }

  async function provision(): Promise<void> {
    await account.prepare(bot.leverage).catch((error: unknown) => {
      if (!(error instanceof ExchangeError) || (error.trouble !== 'rejected' && error.trouble !== 'funds')) throw error;
      throw new Unfit(`The exchange does not let the bot be set up. ${error.message}`);
    });
    set.status = 'RUNNING';
    say({
      actor: 'engine',
      kind: 'running',
      text: `Ready: isolated margin at ${bot.leverage}×. It trades when the strategy finds a setup.`,
    });
  }

  async function stop(view: View): Promise<View> {
    for (const row of await desk.unsettled(bot.id)) if (row.state === 'accepted') await account.cancel(row.clientId);
    if (view.unsettled) return view;
    if (bot.stopMode !== 'keep' && view.position) await close(view.position, 'stopped', null);
    const after = await see();
    const ours = await lookUp(hand, await desk.unsettled(bot.id));
    const resting = ours.some(({ state }) => state === 'accepted');
    if (resting || after.unsettled || (bot.stopMode !== 'keep' && after.position)) return after;
    for (const row of ours) await settleAs(hand, row, 'cancelled', 'never sent');
    set.status = 'STOPPED';
    Object.assign(set, { stopMode: null, pausedBy: null, pausedReason: null } satisfies Partial<BotRow>);
    say({
      actor: 'engine',
      kind: 'stopped',
      text: after.position ? 'Stopped. The position stays at the exchange, with its stop.' : 'Stopped.',
    });
    return after;
  }

  /** Acts on a candle's signal, once. */
  async function trade(view: View, candle: number): Promise<View> {
    const signal = await parts.signalOf(candle);
    const sent = await desk.ofCandle({ botId: bot.id, candle });
    if (!signal || view.unsettled || (sent && sent.state !== 'intended')) return view;
    const decision = decideNow(signal, view, bot, exchange);
    if (decision.kind === 'close' && view.position) await close(view.position, decision.reason, candle);
    else if (decision.kind === 'enter' && set.pausedBy == null && !view.foreign) {
      if ((await desk.haltReason(bot.userId)) !== null) return view;
      const { close: price } = await exchange.feed.forming();
      const wrong = spoiled(signal, decision, price, bot.leverage, exchange);
      if (wrong !== null) {
        say({ actor: 'engine', kind: 'passed', text: `Passed on a setup: ${wrong.toLowerCase()}.`, key: `passed:${candle}` });
        return view;
      }
      const { side, quantity, stop, target } = decision;
      const direction = side === 'long' ? 'buy' : 'sell';
      const order = await send(hand, { purpose: 'entry', key: String(candle), candle, direction, quantity, stop, target });
      if (order.state === 'rejected')
        say({
          actor: 'exchange',
          kind: 'refused',
          text: refusedText(order.reason),
          key: `refused:${candle}`,
          tell: true,
        });
    } else return view;
    return protectOrClose(await see());
  }

  /** What is told of the trades that a view shows. */
  function tell(view: View): void {
    for (const trade of view.trades) {
      const { entryId, closedAt, reason } = trade;
      const rests = view.position?.entryId === entryId ? view.position : null;
      say({ actor: 'engine', kind: 'opened', text: openedText(trade, rests), key: `opened:${entryId}` });
      if (closedAt === null) continue;
      const actor = reason === 'time' || reason === 'trend' || reason === 'stopped' || reason === 'unprotected' ? 'engine' : 'exchange';
      say({ actor, kind: 'closed', text: closedText(trade), key: `closed:${entryId}`, tell: true });
    }
    if (view.foreign)
      say({
        actor: 'exchange',
        kind: 'foreign',
        text: 'There is a position in the account that this bot did not open. It opens nothing until that is closed.',
        key: `foreign:${view.snapshot.position?.openedAt}`,
        tell: true,
      });
  }

  /** Notes why nothing new is opened, or that it is again. */
  async function notePause(view: View): Promise<void> {
    const pause = pauseOf(bot, view, { access: await accessMessage(parts, bot.userId), at: exchange.feed.now() });
    Object.assign(set, pause);
    if (pause.pausedBy === bot.pausedBy && pause.pausedReason === bot.pausedReason) return;
    const held = view.position ? ' The open position keeps its stop.' : '';
    if (pause.pausedReason !== null)
      say({ actor: 'engine', kind: 'paused', text: `New positions are paused: ${pause.pausedReason}.${held}`, tell: true });
    else say({ actor: 'engine', kind: 'resumed', text: 'New positions may be opened again.' });
  }

  return {
    async run(candle: number | undefined): Promise<void> {
      const unsent = await clearUp();
      await checkKeys();
      if (bot.status === 'PROVISIONING') await provision();
      let view = await see();
      // First of all: what is sent below may be one of these.
      await giveUp(unsent, view, candle);
      view = await protectOrClose(view);
      const running = bot.status === 'RUNNING';
      if (running) await notePause(view);
      if (bot.status === 'STOPPING') view = await stop(view);
      else if (running && candle !== undefined && candle > (bot.handledCandle ?? 0)) {
        view = await trade(view, candle);
        set.handledCandle = candle;
      }
      tell(view);
      await desk.record({
        before: bot,
        trades: view.trades,
        news,
        set: {
          ...set,
          equity: view.equity,
          position: view.position,
          guards: view.kept,
          fillsSeenTo: view.fillsSeenTo,
          lastExchangeAt: new Date(clock()),
        },
      });
    },
  };
}
