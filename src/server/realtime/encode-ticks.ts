import type { CoinTick, CoinTicks } from '#contract/market/coin-ticks.ts';

/** An unchanged coin keeps its object, and thousands of sockets get the same ones. */
const texts = new WeakMap<CoinTick, string>();

function textOf(tick: CoinTick): string {
  const text = texts.get(tick) ?? JSON.stringify(tick);
  texts.set(tick, text);
  return text;
}

/** Encodes the event `coin_ticks` as socket.io does (type EVENT, main namespace), but serializes each coin once for all sockets. */
export function encodeTicks({ source, coins }: CoinTicks): string {
  return `2["coin_ticks",{"source":${JSON.stringify(source)},"coins":[${coins.map(textOf).join()}]}]`;
}
