import type { Alert, Firing } from '#contract/alerts/alert.ts';
import type { AlertRow, FiringRow, listAlerts } from './store.ts';

type Listed = Awaited<ReturnType<typeof listAlerts>>[number];

const STATES = { new: 'watching', armed: 'watching', waiting: 'waiting', done: 'done' } as const;

/** Converts a stored alert to the contract's. */
export function toAlert({ state, ...row }: Listed): Alert {
  const shared = {
    id: row.id,
    note: row.note,
    rearms: row.rearms,
    expires_at: row.expiresAt?.toISOString() ?? null,
    paused: row.paused,
    state: state === null ? ('watching' as const) : STATES[state],
    created_at: row.createdAt.toISOString(),
    fired_at: row.firedAt?.toISOString() ?? null,
  };
  const coin = coinOf(row);
  if (row.kind !== 'percent') {
    if (!coin) throw new Error('an alert of a price has no coin');
    return { ...shared, kind: row.kind, coin, price: row.level, level_name: row.levelName };
  }
  if (!row.period) throw new Error('an alert of a change has no period');
  return { ...shared, kind: row.kind, coin, percent: row.level, period: row.period };
}

const coinOf = ({ coinId, coinName, coinSymbol }: AlertRow) =>
  coinId === null ? null : { id: coinId, name: coinName, symbol: coinSymbol };

/** Converts a stored firing to the contract's. */
export const toFiring = (row: FiringRow): Firing => ({
  id: row.id,
  alert_id: row.alertId,
  kind: row.kind,
  coin: { id: row.coinId, name: row.coinName, symbol: row.coinSymbol },
  level: row.level,
  level_name: row.levelName,
  period: row.period,
  note: row.note,
  price: row.price,
  change: row.change,
  source: row.source,
  at: row.at.toISOString(),
});
