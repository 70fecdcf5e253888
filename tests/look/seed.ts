import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { userAnswer } from '#contract/account/user.ts';
import { WATCH } from '#contract/market/choices.ts';
import { testPurchaseAnswer } from '#contract/subscription.ts';
import type { Person } from '../support/browser/main-path.ts';
import type { RunningApp } from '../support/processes/app.ts';

const COINS = [
  [1, 'BTC', 'Bitcoin'],
  [1027, 'ETH', 'Ethereum'],
  [74, 'DOGE', 'Dogecoin'],
  [5426, 'SOL', 'Solana'],
] as const;

/** Creates the data of a long-time user: Premium plan, watchlist, notifications, price alerts and two bots. */
export async function seed({ url }: RunningApp, { email, password }: Person): Promise<void> {
  let authorization = '';
  async function post(path: string, body: unknown, method = 'POST'): Promise<unknown> {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(authorization && { authorization }),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return response.json();
  }

  // A second sign-in creates a notification.
  for (const _ of COINS) {
    const { data } = z.parse(tokensAnswer, await post('/auth/login/', { email, password }));
    authorization = `Bearer ${data.accessToken}`;
  }
  const id = z.parse(z.object({ sub: z.string() }), JSON.parse(atob(authorization.split('.')[1] ?? ''))).sub;
  const answer = await fetch(`${url}/api/auth/user/${id}/`, { headers: { authorization } });
  const { data: user } = z.parse(userAnswer, await answer.json());

  const purchase = await post('/test-store/purchases', { productId: 'premium_monthly', outcome: 'paid' });
  const { receipt } = z.parse(testPurchaseAnswer, purchase).data;
  await post('/buy-subscription', { userId: id, planType: 'PREMIUM', appUserId: user.userSubscription.appUserId, receipt });

  for (const [cryptoId, cryptoSymbol, cryptoName] of COINS)
    await post('/watchlist', { userId: id, cryptoId, cryptoSymbol, cryptoName, actionType: WATCH.add });

  const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
  const alert = { note: 'Sell a third', rearms: true, expires_at: null, paused: false };
  for (const rule of [
    { kind: 'above', coin, price: 1e6, level_name: 'Resistance' },
    { kind: 'percent', coin: null, percent: -99, period: '7d' },
  ])
    await post(`/alerts/${id}/${randomUUID()}`, { alert: { ...alert, ...rule }, seen: null }, 'PUT');

  for (const bot_name of ['Tide one', 'Slow water']) {
    const bot = { bot_name, api_key: 'paper-demo-key', secret_key: 'paper-demo-secret', position_size: '1000', leverage: 15 };
    await post('/v1/trading-bots', bot);
  }
}
