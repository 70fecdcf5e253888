import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Alert, alertAnswer, alertsAnswer, type Firing, firingsAnswer } from '#contract/alerts/alert.ts';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { type Notification, notificationsAnswer } from '#contract/notification.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

type Rule = Pick<AlertForm, 'kind'> & Record<string, unknown>;

/** Returns the alert form with these fields: by default, an alert that fires once when coin 1 is above 100. */
export function alertOf(changes: Partial<Rule> & { coinId?: number } = {}): AlertForm {
  const { coinId = 1, ...rest } = changes;
  const shared = { coin: { id: coinId, name: 'As seen', symbol: 'SEEN' }, note: '', rearms: false, expires_at: null, paused: false };
  const rule = rest.kind === 'percent' ? { percent: 5, period: '24h' } : { kind: 'above', price: 100, level_name: null };
  return { ...shared, ...rule, ...rest } as AlertForm;
}

interface Sent {
  method?: string;
  body?: unknown;
  key?: string;
  path?: string;
}

/** Calls the alerts of a user over HTTP. */
export function alertsOf(server: Pick<TestServer, 'url'>, who: SignedUp) {
  const send = (path: string, { method = 'GET', body, key = randomUUID() }: Sent = {}) =>
    fetch(`${server.url}/api/alerts/${who.user.id}${path}`, {
      method,
      headers: {
        authorization: who.authorization,
        'idempotency-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const put = (alert: unknown, { id = randomUUID(), seen = null, key }: { id?: string; seen?: number | null; key?: string } = {}) =>
    send(`/${id}`, { method: 'PUT', body: { alert, seen }, ...(key && { key }) });

  return {
    send,
    put,
    /** Puts an alert, and returns it as stored. */
    async add(changes: Parameters<typeof alertOf>[0] = {}, options: Parameters<typeof put>[1] = {}): Promise<Alert> {
      const response = await put(alertOf(changes), options);
      if (!response.ok) throw new Error(`the alert was refused: ${response.status} ${await response.text()}`);
      return z.parse(alertAnswer, await response.json()).data;
    },
    pause: (id: string, paused: boolean) => send(`/${id}/pause`, { method: 'POST', body: { paused } }),
    remove: (id: string) => send(`/${id}`, { method: 'DELETE' }),
    list: async (): Promise<Alert[]> => z.parse(alertsAnswer, await (await send('')).json()).data,
    history: async (): Promise<Firing[]> => z.parse(firingsAnswer, await (await send('/history')).json()).data,
    async notifications(): Promise<Notification[]> {
      const { authorization } = who;
      const response = await fetch(`${server.url}/api/notification/${who.user.id}`, { headers: { authorization } });
      return z.parse(notificationsAnswer, await response.json()).data.filter(({ kind }) => kind === 'alert');
    },
  };
}
