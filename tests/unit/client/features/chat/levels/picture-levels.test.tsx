import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coinNamedIn } from '#client/features/chat/device-answer/answer-on-device.ts';
import { PictureLevels } from '#client/features/chat/levels/picture-levels.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { quote } from '#tests/support/market/quotes.ts';

vi.mock('#client/features/chat/device-answer/answer-on-device.ts', { spy: true });

const USER = 'reader-of-levels';
const marks = {
  kind: 'candles',
  confidence: 0.9,
  width: 400,
  height: 300,
  plot: { x: 0, y: 0, width: 400, height: 300 },
  trend: 'down',
  levels: [{ kind: 'support', y: 200, touches: 2, price: 95_000 }],
  warnings: [],
} as const;

beforeEach(() => signIn(makeTokens({ sub: USER }), true));
afterEach(async () => {
  cleanup(); // requires a signed-in user
  await endSession();
});

it('names the coin of the question once the device knows it: on a first visit, the coins come later', async () => {
  render(<PictureLevels marks={{ ...marks, levels: [...marks.levels], warnings: [] }} question="Is Bitcoin weak?" />);
  const group = screen.getByRole('group');
  await vi.waitFor(() => expect(coinNamedIn).toHaveResolvedWith(undefined));
  expect(group.textContent).toMatch(/^LevelsAlert at 95,000/);
  await userDb(USER).coins.put({ id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1, quote: { USD: quote({}) } });
  await expect.poll(() => group.textContent).toMatch(/^Levels of BitcoinAlert at 95,000/);
});
