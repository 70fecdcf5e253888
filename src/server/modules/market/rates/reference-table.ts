import type { CurrencyRates, DisplayCurrency } from '#contract/market/rates.ts';

/**
 * Euro foreign exchange reference rates of the European Central Bank: units for one euro. Reuse is free if the source is named.
 * https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates
 */
const ECB = {
  date: '2026-02-20',
  usd: 1.1767,
  perEuro: {
    EUR: 1,
    GBP: 0.8728,
    JPY: 182.63,
    CHF: 0.9132,
    CAD: 1.6112,
    AUD: 1.6697,
    INR: 107.0155,
    BRL: 6.1358,
    KRW: 1705.81,
    TRY: 51.5932,
  } satisfies Record<DisplayCurrency, number>,
};

/** The rates that ship with the server, in units for one USD. */
export const REFERENCE: CurrencyRates = {
  date: ECB.date,
  source: 'European Central Bank reference rates',
  rates: Object.fromEntries(
    Object.entries(ECB.perEuro).map(([currency, perEuro]) => [currency, Number((perEuro / ECB.usd).toPrecision(6))]),
  ) as CurrencyRates['rates'],
};
