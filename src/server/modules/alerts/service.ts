import type { Alert, Firing } from '#contract/alerts/alert.ts';
import type { AlertForm, PutAlertBody } from '#contract/alerts/alert-form.ts';
import { MAX_ALERTS, MAX_FIRINGS, MAX_WATCHLIST_ALERTS } from '#contract/alerts/alert-limits.ts';
import type { Clock } from '#domain/clock.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { toAlert, toFiring } from './answers.ts';
import * as store from './store.ts';
import { unwatch, unwatchCoin, watch } from './watches.ts';

export type Alerts = ReturnType<typeof createAlerts>;

interface Parts {
  db: Db;
  clock: Clock;
  market: MarketData;
  /** Returns the ids of a user's watched coins. */
  watchedBy: (tx: Tx, userId: string) => Promise<number[]>;
}

/** Manages users' price alerts. Every query includes the user's id. */
export function createAlerts({ db, clock, market, watchedBy }: Parts) {
  /** Watches what a running alert is about. */
  async function watchCoins(tx: Tx, row: store.AlertRow, seen: number | null): Promise<void> {
    const coinIds = row.coinId === null ? await watchedBy(tx, row.userId) : [row.coinId];
    await watch(tx, { alerts: [row], coinIds, seen: row.coinId === null ? null : seen, now: new Date(clock()) });
  }

  return {
    list: async (userId: string): Promise<Alert[]> => (await store.listAlerts(db, userId)).map(toAlert),

    /** Returns the latest firings, newest first. */
    history: async (userId: string): Promise<Firing[]> => (await store.listFirings(db, userId, MAX_FIRINGS)).map(toFiring),

    /**
     * Returns the alert with the provider's names of its coin, or with the user's when the provider is down. Throws 400 `unknown_coin`.
     * Calls the network, so call it outside transactions.
     */
    async identify(form: AlertForm): Promise<AlertForm> {
      if (!form.coin) return form;
      const found = await findCoin(market, form.coin.id);
      if (found === null) throw badRequest('unknown_coin', 'This coin is not available.');
      return found ? { ...form, coin: { id: found.id, name: found.name, symbol: found.symbol } } : form;
    },

    /** Creates or replaces an alert. Throws 400 `too_many_alerts` beyond the limits. */
    async put(tx: Tx, userId: string, id: string, { alert: form, seen }: PutAlertBody): Promise<Alert> {
      await lockUser(tx, userId);
      const others = (await store.listAlertIds(tx, userId)).filter((other) => other.id !== id);
      if (others.length >= MAX_ALERTS) throw tooMany(`You have ${MAX_ALERTS} alerts, the maximum.`);
      if (!form.coin && others.filter(({ ofWatchlist }) => ofWatchlist).length >= MAX_WATCHLIST_ALERTS)
        throw tooMany(`You have ${MAX_WATCHLIST_ALERTS} alerts for the whole watchlist, the maximum.`);
      await store.storeAlert(tx, rowOf(form, { userId, id, createdAt: new Date(clock()) }));
      await unwatch(tx, userId, id);
      const row = await find(tx, userId, id);
      if (!row.paused) await watchCoins(tx, row, seen);
      return (await store.listAlerts(tx, userId)).filter((one) => one.id === id).map(toAlert)[0] as Alert;
    },

    /** Pauses or resumes an alert. Throws 404 for an unknown one. */
    async pause(tx: Tx, userId: string, id: string, paused: boolean): Promise<void> {
      await lockUser(tx, userId);
      const row = await find(tx, userId, id);
      if (row.paused === paused) return;
      await store.storePaused(tx, userId, id, paused);
      if (paused) await unwatch(tx, userId, id);
      else await watchCoins(tx, row, null);
    },

    /** Deletes an alert. Its firings stay. Does nothing for an unknown one. */
    async remove(tx: Tx, userId: string, id: string): Promise<void> {
      await lockUser(tx, userId);
      await unwatch(tx, userId, id);
      await store.deleteAlert(tx, userId, id);
    },

    /** Call it after a coin was added to a user's watchlist. */
    async coinAdded(tx: Tx, userId: string, coinId: number): Promise<void> {
      const alerts = await store.listWatchlistAlerts(tx, userId);
      await watch(tx, { alerts, coinIds: [coinId], now: new Date(clock()) });
    },

    /** Call it after a coin was removed from a user's watchlist. */
    async coinRemoved(tx: Tx, userId: string, coinId: number): Promise<void> {
      const alerts = await store.listWatchlistAlerts(tx, userId);
      if (alerts.length > 0) await unwatchCoin(tx, userId, { alerts, coinId });
    },
  };
}

async function find(tx: Tx, userId: string, id: string): Promise<store.AlertRow> {
  const row = await store.findAlert(tx, userId, id);
  if (!row) throw notFound('This alert does not exist.');
  return row;
}

const tooMany = (what: string) => badRequest('too_many_alerts', `${what} Delete one to add another.`);

function rowOf(form: AlertForm, { userId, id, createdAt }: Pick<store.AlertRow, 'userId' | 'id' | 'createdAt'>): store.AlertRow {
  const isChange = form.kind === 'percent';
  return {
    userId,
    id,
    kind: form.kind,
    coinId: form.coin?.id ?? null,
    coinName: form.coin?.name ?? '',
    coinSymbol: form.coin?.symbol ?? '',
    level: isChange ? form.percent : form.price,
    period: isChange ? form.period : null,
    levelName: isChange ? null : form.level_name,
    note: form.note,
    rearms: form.rearms,
    expiresAt: form.expires_at === null ? null : new Date(form.expires_at),
    paused: form.paused,
    firedAt: null,
    createdAt,
  };
}
