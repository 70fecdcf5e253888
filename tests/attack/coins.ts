import { madeUpWorld, type RawCoin, type World } from '../support/market/coinmarketcap-world.ts';

/** Similar two-word names, so that each word of a question is close to many of them. */
export const nameOf = (index: number): string =>
  `${'abcdefghij'[index % 10]}oin${(index * 7_919).toString(36)} ${(index * 104_729).toString(36)}swap`;

/** Creates a provider with `count` coins. */
export function manyCoins(count: number): World {
  const world = madeUpWorld();
  const [model] = world.coins;
  for (let id = world.coins.length + 1; id <= count && model; id++) {
    const coin: RawCoin = { ...model, id, name: nameOf(id), symbol: `X${id.toString(36)}`, slug: `coin-${id}`, cmc_rank: id };
    world.coins.push(coin);
  }
  return world;
}
