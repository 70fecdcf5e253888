import { randomUUID } from 'node:crypto';
import type { Alert, Firing } from '#contract/alerts/alert.ts';

const BITCOIN = { id: 1, name: 'Bitcoin', symbol: 'BTC' };

/** Creates an alert as the server sends it: by default one that waits for Bitcoin above 100. */
export const storedAlert = (changes: Partial<Alert> = {}): Alert =>
  ({
    id: randomUUID(),
    kind: 'above',
    coin: BITCOIN,
    price: 100,
    level_name: null,
    note: '',
    rearms: false,
    expires_at: null,
    paused: false,
    state: 'watching',
    created_at: '2026-11-25T10:00:00.000Z',
    fired_at: null,
    ...changes,
  }) as Alert;

/** Creates a firing of such an alert. */
export const firingOf = (changes: Partial<Firing> = {}): Firing => ({
  id: randomUUID(),
  alert_id: randomUUID(),
  kind: 'above',
  coin: BITCOIN,
  level: 100,
  level_name: 'Resistance',
  period: null,
  note: 'Sell a third',
  price: 101.5,
  change: null,
  source: 'Kraken BTC/USD',
  at: '2026-11-25T12:00:00.000Z',
  ...changes,
});
