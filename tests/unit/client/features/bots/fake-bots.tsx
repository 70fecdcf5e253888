import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, vi } from 'vitest';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import type { User } from '#contract/account/user.ts';
import type { Bot, BotPosition, BotTrade } from '#contract/bots/bot.ts';
import type { BotComparison } from '#contract/bots/bot-comparison.ts';
import type { PlanType } from '#contract/plan-types.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi } from '#tests/support/client/fake-api.ts';

export const LIST = 'GET /api/v1/users/user-1/trading-bots';
export const CREATE = 'POST /api/v1/trading-bots';
export const ok = (data: unknown, status = 200) => ({ status, body: { status, data } });
export const listed = (...bots: Bot[]) => ok({ bots, total: bots.length });

export const position: BotPosition = {
  side: 'long',
  quantity: 0.0125,
  entry_price: 60_000,
  mark_price: 60_500,
  stop_price: 59_000,
  target_price: 62_000,
  liquidation_price: 56_400,
  unrealised_pnl: 6.25,
  opened_at: '2026-03-01T01:00:00.000Z',
};

/** A short trade that reached its target. */
export const closedTrade = (changes: Partial<BotTrade> = {}): BotTrade => ({
  id: 'trade-1',
  side: 'short',
  quantity: 0.01,
  entry_price: 61_000,
  exit_price: 60_000,
  pnl: 9.4,
  fees: 0.6,
  funding: 0,
  reason: 'target',
  opened_at: '2026-03-01T00:10:00.000Z',
  closed_at: '2026-03-01T00:40:00.000Z',
  ...changes,
});

export const user = (planType: PlanType = 'PREMIUM'): User =>
  profileOf({ created_at: '2025-01-01T00:00:00.000Z', userSubscription: { planType, extraChatAnalysis: -1 } });

export const config = (bots: object = {}) =>
  ok({
    mailbox: false,
    analyst: 'built-in',
    bots: {
      exchange: 'paper',
      paper: true,
      speed: 60,
      interval: '1h',
      replay: { from: '2025-03-06T10:30:00.000Z', to: '2025-04-13T07:15:00.000Z' },
      signUpUrl: 'https://exchange.example/register',
      referralUrls: ['https://one.example/r', 'https://two.example/r'],
      egressAddresses: [],
      ...bots,
    },
  });

/** A bot that made what its backtest made. */
export const comparison: BotComparison = {
  market: 'BTC replay',
  interval: '1h',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-31T00:00:00.000Z',
  capital: 1000,
  leverage: 15,
  max_drawdown: 30,
  bot_profit: 9.4,
  bot_trades: 1,
  backtest_profit: 9.4,
  backtest_trades: 1,
  difference: 0,
  band: 15,
  causes: [],
  trades: [],
  trade_count: 1,
};

const NO_HISTORY: Answers = {
  'GET /api/v1/trading-bots/bot-1/comparison': ok(comparison),
  'GET /api/v1/trading-bots/deleted': ok([]),
  'GET /api/v1/trading-bots/bot-1/trades?sort=closed_at&order=desc&offset=0': ok({ trades: [], total: 0 }),
  'GET /api/v1/trading-bots/bot-1/profits': ok({ days: [] }),
  'GET /api/v1/trading-bots/bot-1/chart': ok({ interval: 3_600_000, candles: [], levels: [], trades: [] }),
};

/** Like `fakeApi`, with no deleted bots and no trades unless `answers` has some. */
export const fakeBots = (answers: Answers) => fakeApi({ ...NO_HISTORY, ...answers });

export async function emptyDevice(who = user()) {
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await userDb('user-1').profile.put(who);
}

/** Signs in before each test, on an empty device that reaches the server; at `address`, if there is one. */
export function signInEachTest(address?: string) {
  beforeEach(async () => {
    await emptyDevice();
    await signIn(makeTokens(), true);
    if (address) history.replace(address);
    reportReachable();
  });
  afterEach(async () => {
    cleanup(); // pages need a user
    vi.unstubAllGlobals();
    await endSession();
  });
}

const SignedIn = ({ children }: { children: ReactNode }) => useSession().status === 'signed-in' && children;

export const show = (page: ReactNode) =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <SignedIn>{page}</SignedIn>
    </SWRConfig>,
  );
