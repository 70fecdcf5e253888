import { afterEach, describe, expect, it } from 'vitest';
import { formatFigure, formatPrice, showMoney, shownMoney } from '#client/coins/money/money.ts';
import { shownCode } from '#client/coins/money/money-facts.ts';
import { chosenCode, createMoney, keepCode, keepRates, keptRates, startMoney } from '#client/coins/money/other-money.ts';
import type { CurrencyRates } from '#contract/market/rates.ts';

const rates = {
  date: '2026-11-24',
  source: 'Reference rates',
  rates: { EUR: 0.92, GBP: 0.79, JPY: 152.4, CHF: 0.88, CAD: 1.39, AUD: 1.53, INR: 84.4, BRL: 5.8, KRW: 1398, TRY: 34.5 },
} satisfies CurrencyRates;
const money = (code: keyof typeof rates.rates) => createMoney(code, rates) as NonNullable<ReturnType<typeof createMoney>>;
const broken = (rate: unknown) => createMoney('EUR', { ...rates, rates: { ...rates.rates, EUR: rate as number } });

afterEach(() => {
  showMoney(undefined);
  localStorage.clear();
});

describe('prices in another currency', () => {
  it.each([
    ['EUR', 100, '€92.00'],
    ['EUR', 0.001, '€0.00092'],
    ['GBP', 1234.567, '£975.30'],
    ['JPY', 100_000, '¥15,240,000'],
    ['JPY', 1, '¥152.4'],
    ['JPY', 0.000123, '¥0.01875'],
    ['CHF', 50, 'CHF\u00a044.00'],
    ['CAD', 10, 'CA$13.90'],
    ['AUD', 10, 'A$15.30'],
    ['INR', 1, '₹84.40'],
    ['BRL', 1, 'R$5.80'],
    ['KRW', 100_000, '₩139,800,000'],
    ['TRY', 2, '₺69.00'],
    ['EUR', -5, '-€4.60'],
    ['KRW', -5000, '-₩6,990,000'],
  ] as const)('%s: %d USD is %s', (code, usd, text) => expect(money(code).price(usd)).toBe(text));

  it('are truncated after rounding away the noise of the product', () => {
    expect(createMoney('EUR', { ...rates, rates: { ...rates.rates, EUR: 1.13 } })?.price(100)).toBe('€113.00');
  });

  it('have large amounts with their unit, and no figure where there is none', () => {
    expect(money('EUR').amount(2e12)).toBe('€1.8T');
    expect(money('KRW').amount(2e12)).toMatch(/^₩2796\.0T$/);
    expect(money('EUR').price(null)).toBe('–');
    expect(money('EUR').price(Number.NaN)).toBe('–');
  });

  it('say their rate and its date', () => expect(money('EUR').note).toBe('1 USD = 0.92 EUR, Nov 24, 2026, Reference rates'));

  it('say the date and source of their own rate', () => {
    const older = { date: '2026-02-20', source: 'Older rates', currencies: ['INR' as const] };
    expect(createMoney('INR', { ...rates, older })?.note).toBe('1 USD = 84.4 INR, Feb 20, 2026, Older rates');
    expect(createMoney('EUR', { ...rates, older })?.note).toBe('1 USD = 0.92 EUR, Nov 24, 2026, Reference rates');
    keepRates({ ...rates, older });
    expect(keptRates()).toEqual({ ...rates, older });
  });

  it.each([0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '0.92', undefined, null])('do not exist by the rate %s', (rate) =>
    expect(broken(rate)).toBeUndefined(),
  );
});

describe('the display currency of the device', () => {
  it('is USD until one is chosen, and shows figures of USD only', () => {
    startMoney();
    expect(formatPrice(1, 'USD')).toBe('$1.00');
    expect(shownCode('USD')).toBe('USD');
    keepCode('EUR');
    keepRates(rates);
    startMoney();
    expect(formatPrice(1, 'USD')).toBe('€0.92');
    expect(formatPrice(1, 'BTC')).toBe('₿1');
    expect(formatFigure({ value: 1e9, currency: 'USD' })).toBe('€920.0M');
    expect(formatFigure({ value: 1e9, currency: 'BTC' })).toBe('₿1.0B');
    expect(formatFigure(undefined)).toBe('–');
    expect([shownCode('USD'), shownCode('BTC')]).toEqual(['EUR', 'BTC']);
    keepCode(undefined);
    startMoney();
    expect(shownMoney()).toBeUndefined();
  });

  it('stays USD without rates, and whatever else is stored', () => {
    keepCode('EUR');
    for (const stored of [
      null,
      '',
      'x',
      '[]',
      '5',
      '{"date":5}',
      '{"date":"x","source":"y","rates":{}}',
      `{"source":"${'x'.repeat(1e5)}"}`,
      ...[null, 5, {}, { ...rates, currencies: 'EUR' }].map((older) => JSON.stringify({ ...rates, older })),
    ]) {
      if (stored === null) localStorage.removeItem('display-rates');
      else localStorage.setItem('display-rates', stored);
      startMoney();
      expect(keptRates()).toBeUndefined();
      expect(formatPrice(1)).toBe('$1.00');
    }
    localStorage.setItem('display-currency', 'XXX');
    expect(chosenCode()).toBeUndefined();
  });
});
