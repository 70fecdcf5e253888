import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatGain,
  HIDDEN_AMOUNTS,
  roundToCents,
  SHOWN_AMOUNTS,
  spellAmount,
  sumOfCents,
} from '#domain/bots/bot-amounts.ts';

describe('amounts of bots', () => {
  it.each([
    [12.344, 12.34],
    [12.345, 12.35],
    [-12.345, -12.35],
    [1.005, 1.01],
    [0.1 + 0.2, 0.3],
    [0.004999, 0],
    [-0.004, 0],
    [0.125, 0.13],
    [-0.125, -0.13],
    [1e-9, 0],
    [123_456_789.995, 123_456_790],
  ])('round %f to the nearest cent', (usd, cents) => {
    expect(roundToCents(usd)).toBe(cents);
  });

  it('are the same in figures and in sentences', () => {
    for (const usd of [0, 0.004, 0.005, 1.005, 12.345, 999.995, 1234.5678]) {
      const digits = spellAmount(usd).replace(' USD', '');
      expect(formatAmount(usd)).toBe(`$${digits}`);
      expect([formatGain(usd), formatGain(-usd)]).toEqual(roundToCents(usd) === 0 ? ['$0.00', '$0.00'] : [`+$${digits}`, `-$${digits}`]);
    }
  });

  it('add up to what the lines above the sum show', () => {
    const amounts = Array.from({ length: 1000 }, (_, index) => Math.sin(index) * 37.123);
    const centsOf = (text: string) => Number(text.replaceAll(/[^\d-]/g, ''));
    const shown = amounts.map((usd) => centsOf(formatGain(usd)));
    expect(centsOf(formatGain(sumOfCents(amounts)))).toBe(shown.reduce((sum, cents) => sum + cents, 0));
    expect(sumOfCents([0.1, 0.2])).toBe(0.3);
    expect(sumOfCents([])).toBe(0);
  });

  it('leave no digit of an amount when hidden', () => {
    const told = `Closed the long position at its target at ${spellAmount(62_000)}: a profit of ${spellAmount(1234.5)}, 0.012345 BTC, 2.5%.`;
    expect(SHOWN_AMOUNTS.sentence(told)).toBe(told);
    expect(HIDDEN_AMOUNTS.sentence(told)).toBe('Closed the long position at its target at ••• USD: a profit of ••• USD, ••• BTC, 2.5%.');
    expect(HIDDEN_AMOUNTS.sentence('You made +$12.30, -$4.00 and ₿0.5 in 3 trades.')).toBe('You made •••, ••• and ••• in 3 trades.');
    expect(HIDDEN_AMOUNTS.sentence('1.234,50\u00a0$, 1\u202f234,50 $, $\u00a05.00 und 0,01\u00a0BTC, 24 h, 5.')).toBe(
      '•••\u00a0$, ••• $, ••• und •••\u00a0BTC, 24 h, 5.',
    );
    expect([HIDDEN_AMOUNTS.amount(5), HIDDEN_AMOUNTS.gain(-5), HIDDEN_AMOUNTS.quantity(5)]).toEqual(['•••', '•••', '•••']);
  });
});
