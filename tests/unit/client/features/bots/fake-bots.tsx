import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { userDb } from '#client/platform/db/user-db.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import type { User } from '#contract/account/user.ts';
import type { Bot, BotPosition } from '#contract/bots/bot.ts';
import type { PlanType } from '#contract/subscription.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';

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

export async function emptyDevice(who = user()) {
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await userDb('user-1').profile.put(who);
}

const SignedIn = ({ children }: { children: ReactNode }) => useSession().status === 'signed-in' && children;

export const show = (page: ReactNode) =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <SignedIn>{page}</SignedIn>
    </SWRConfig>,
  );
