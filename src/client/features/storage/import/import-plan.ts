import { MAX_ALERTS, MAX_WATCHLIST_ALERTS } from '#contract/alerts/alert-limits.ts';
import type { Imported } from '#contract/chat/import-chats.ts';
import { MAX_WATCHLIST_COINS } from '#contract/market/watchlist.ts';
import type { NotificationSettingsBody } from '#contract/notifications/settings.ts';
import type { Batch } from './batches.ts';
import type { CoinRow } from './exported-rows.ts';
import type { ExportContent, ExportedAlert } from './read-export.ts';

/** What the account has, without its chats. */
export interface Account {
  alerts: readonly { id: string; coin: unknown }[];
  coinIds: readonly number[];
  settings: NotificationSettingsBody;
}

/** A batch of chats, and what the server would do with it. */
export interface ForeseenBatch extends Batch {
  foreseen: Imported;
}

export interface ImportPlan {
  batches: ForeseenBatch[];
  chats: { added: number; present: number; over: number; empty: number; unreadable: number };
  messages: { added: number; present: number; over: number; unanswered: number; unreadable: number };
  /** In the user's order, the top one first. */
  coins: { add: CoinRow[]; present: number; over: number; unreadable: number };
  alerts: { add: ExportedAlert[]; present: number; over: number; expired: number; fired: number; unreadable: number };
  /** Settings that differ from those of the account. */
  settings: NotificationSettingsBody | undefined;
}

/** Compares an export with the account. `now`: ms UTC. */
export function planImport(content: ExportContent, account: Account, batches: ForeseenBatch[], now: number): ImportPlan {
  const { unreadable, unanswered, empty } = content;
  const chats = { added: 0, present: 0, over: 0, empty, unreadable: unreadable.chats };
  const messages = { added: 0, present: 0, over: 0, unanswered, unreadable: unreadable.messages };
  for (const { isContinued, foreseen } of batches) {
    messages.added += foreseen.added.messages;
    messages.present += foreseen.present.messages;
    messages.over += foreseen.left_out.messages;
    if (isContinued) continue;
    chats.added += foreseen.added.chats;
    chats.present += foreseen.present.chats;
    chats.over += foreseen.left_out.chats;
  }
  return {
    batches,
    chats,
    messages,
    coins: planCoins(content, account),
    alerts: planAlerts(content, account, now),
    settings: content.settings && !isSame(content.settings, account.settings) ? content.settings : undefined,
  };
}

function planCoins({ coins, unreadable }: ExportContent, { coinIds }: Account): ImportPlan['coins'] {
  const has = new Set(coinIds);
  const missing = coins.filter(({ coin_id }) => !has.has(coin_id));
  const add = missing.slice(0, Math.max(0, MAX_WATCHLIST_COINS - has.size));
  return { add, present: coins.length - missing.length, over: missing.length - add.length, unreadable: unreadable.coins };
}

function planAlerts({ alerts, unreadable }: ExportContent, account: Account, now: number): ImportPlan['alerts'] {
  const plan: ImportPlan['alerts'] = { add: [], present: 0, over: 0, expired: 0, fired: 0, unreadable: unreadable.alerts };
  const has = new Set(account.alerts.map(({ id }) => id.toLowerCase()));
  let room = MAX_ALERTS - account.alerts.length;
  let roomForWatchlist = MAX_WATCHLIST_ALERTS - account.alerts.filter(({ coin }) => coin === null).length;
  for (const alert of alerts) {
    const { expires_at, rearms, coin } = alert.form;
    if (has.has(alert.id)) plan.present += 1;
    else if (expires_at !== null && Date.parse(expires_at) <= now) plan.expired += 1;
    // One of the watchlist can still fire for its other coins.
    else if (alert.firedAt !== null && !rearms && coin !== null) plan.fired += 1;
    else if (room <= 0 || (coin === null && roomForWatchlist <= 0)) plan.over += 1;
    else {
      plan.add.push(alert);
      room -= 1;
      if (coin === null) roomForWatchlist -= 1;
    }
  }
  return plan;
}

/** Whether an import of the plan would change nothing but the settings. */
export const addsNothing = ({ messages, chats, coins, alerts }: ImportPlan): boolean =>
  messages.added + chats.added + coins.add.length + alerts.add.length === 0;

/** Compares settings whatever the order of their keys. */
const isSame = (a: NotificationSettingsBody, b: NotificationSettingsBody): boolean => written(a) === written(b);

function written({ choices, quiet, time_zone }: NotificationSettingsBody): string {
  const all = Object.entries(choices).flatMap(([kind, ways]) => Object.entries(ways ?? {}).map(([way, on]) => `${kind} ${way} ${on}`));
  return JSON.stringify([all.sort(), quiet?.from, quiet?.to, time_zone]);
}
