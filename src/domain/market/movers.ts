import type { CryptoItem } from '#contract/market/market.ts';

const change = ({ quote }: CryptoItem): number => quote.USD?.percent_change_24h ?? 0;

/** Returns the coins that rose most in 24 hours, then those that fell most: at most `each` of both. Coins without a change are left out. */
export function topMovers(coins: readonly CryptoItem[], each: number): CryptoItem[] {
  const sorted = [...coins].sort((a, b) => change(b) - change(a));
  const rising = sorted.filter((coin) => change(coin) > 0).slice(0, each);
  const falling = sorted.filter((coin) => change(coin) < 0).slice(-each);
  return [...rising, ...falling.reverse()];
}
