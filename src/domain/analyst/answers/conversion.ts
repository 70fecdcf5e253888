import { formatUsd } from '#domain/format/format-number.ts';
import type { Coin } from '#domain/market/coin.ts';
import type { Query } from '../query.ts';
import { figureOf, plain } from './format.ts';

const amountText = (value: number): string =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits: value < 1 ? 6 : 10, maximumFractionDigits: 8 }).format(value);

/** Converts an amount of a coin to dollars and to other coins, or dollars to coins. */
export function answerConversion({ amount, inBitcoin }: Query, [first, ...others]: readonly Coin[], bitcoin: Coin | undefined): string {
  const price = first?.quote.USD.price;
  if (!first || !amount || typeof price !== 'number' || price === 0) return 'I have no price to calculate that.';
  const rate = `at ${figureOf(first, 'price', {})} for one`;
  if (amount.unit === 'USD')
    return `${formatUsd(amount.value)} is **${amountText(amount.value / price)} ${plain(first.symbol)}**, ${rate}, before any fees.`;
  const dollars = amount.value * price;
  const targets = [...others, ...(inBitcoin && bitcoin && bitcoin.id !== first.id ? [bitcoin] : [])];
  const inCoins = targets.flatMap(({ symbol, quote }) =>
    quote.USD.price ? [`**${amountText(dollars / quote.USD.price)} ${plain(symbol)}**`] : [],
  );
  return `${amountText(amount.value)} ${plain(first.symbol)} is worth ${[`**${formatUsd(dollars)}**`, ...inCoins].join(', or ')}, ${rate}, before any fees.`;
}
