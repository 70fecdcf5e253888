import type { FigureSubject } from '#contract/chat/answer-figures.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import type { Coin } from '#domain/market/coin.ts';
import type { Query } from '../query.ts';
import { coinName, figureOf, plain } from './format.ts';
import { told } from './told.ts';

const amountText = (value: number): string =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits: value < 1 ? 6 : 10, maximumFractionDigits: 8 }).format(value);

/** Converts an amount of a coin to dollars and to other coins, or dollars to coins. */
export function answerConversion({ amount, inBitcoin }: Query, [first, ...others]: readonly Coin[], bitcoin: Coin | undefined): string {
  const price = first?.quote.USD.price;
  if (!first || !amount || typeof price !== 'number' || price === 0) return 'I have no price to calculate that.';
  const rate = `at ${figureOf(first, 'price', {})} for one`;
  const worth = { tool: 'calculation', label: 'Worth of the amount in the question' } as const;
  const inCoin = (dollars: number, { coin, price, now }: { coin: Coin; price: number; now: FigureSubject }) => {
    const label = `${worth.label}, in ${coinName(coin)}`;
    return told(`${amountText(dollars / price)} ${plain(coin.symbol)}`, { ...worth, label, value: dollars / price, unit: 'coins', now });
  };
  if (amount.unit === 'USD') {
    const now = { metric: 'price', times: amount.value, over: first.id } as const;
    return `${formatUsd(amount.value)} is **${inCoin(amount.value, { coin: first, price, now })}**, ${rate}, before any fees.`;
  }
  const dollars = amount.value * price;
  const ofFirst = { metric: 'price', coin: first.id, times: amount.value } as const;
  const inDollars = told(formatUsd(dollars), { ...worth, value: dollars, unit: 'USD', now: ofFirst });
  const targets = [...others, ...(inBitcoin && bitcoin && bitcoin.id !== first.id ? [bitcoin] : [])];
  const inCoins = targets.flatMap((coin) => {
    const { price } = coin.quote.USD;
    return price ? [`**${inCoin(dollars, { coin, price, now: { ...ofFirst, over: coin.id } })}**`] : [];
  });
  return `${amountText(amount.value)} ${plain(first.symbol)} is worth ${[`**${inDollars}**`, ...inCoins].join(', or ')}, ${rate}, before any fees.`;
}
