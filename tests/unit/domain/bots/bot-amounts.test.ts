import { describe, expect, it } from 'vitest';
import { formatAmount, formatGain, roundToCents, spellAmount, sumOfCents } from '#domain/bots/bot-amounts.ts';

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
    for (const usd of [0, 0.004, 0.005, 12.345, 999.995, 1234.5678]) {
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
});
