import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { WhyNoTrade } from '#client/features/bots/decisions/why-no-trade.tsx';
import type { CandleDecision } from '#contract/bots/bot.ts';

const decision = (at: number, kind: string, text: string, price: number | null = 60_000): CandleDecision => ({
  at: new Date(Date.UTC(2026, 2, 1, at)).toISOString(),
  kind,
  text,
  price,
});
const decisions = [
  decision(5, 'away', 'The price stayed $250.00 too far above the level at $59,000.00.'),
  decision(4, 'no-level', 'The uptrend has no level that is strong enough.'),
  decision(3, 'missing', 'The server has no data of this candle.', null),
  decision(2, 'of a later version', 'Something else.'),
];
const cells = () => screen.getAllByRole<HTMLInputElement>('radio');

it('explains the newest candle, counts the reasons, and explains the candle that the user chooses', () => {
  render(<WhyNoTrade decisions={decisions} />);
  expect(screen.getByText('The last 4 candles: 2 without a level in reach, 1 not handled, 1 other.')).toBeDefined();
  expect(cells().map((cell) => cell.getAttribute('aria-label')?.split(', ').at(-1))).toEqual(['Level', 'Level', 'Gap', '–']);
  expect(cells()[0]?.checked).toBe(true);
  expect(screen.getByText(/too far above the level at \$59,000\.00\./).textContent).toContain('closed at $60,000.00');
  fireEvent.click(cells()[2] as HTMLInputElement);
  expect(screen.getByText(/no data of this candle/).textContent).not.toContain('closed at');
});

it('keeps the chosen candle when a newer one arrives, and returns to the newest when it is gone', () => {
  const { rerender } = render(<WhyNoTrade decisions={decisions} />);
  fireEvent.click(cells()[1] as HTMLInputElement);
  rerender(<WhyNoTrade decisions={[decision(6, 'trend', 'No trend.'), ...decisions]} />);
  expect(cells()[2]?.checked).toBe(true);
  rerender(<WhyNoTrade decisions={[decision(7, 'entered', 'The bot opened a long position.')]} />);
  expect(screen.getByText(/The bot opened a long position\./)).toBeDefined();
});

it('says when the first reason shows', () => {
  render(<WhyNoTrade decisions={[]} />);
  expect(screen.getByText('The first reason shows when the next candle has closed.')).toBeDefined();
});
