import { existsSync, readFileSync } from 'node:fs';

/** Recorded answers of the provider, outside of the repository. Tests that need them are skipped without them. */
const RECORDED = '/work/shared/data/market';
export const hasRecorded = existsSync(RECORDED);

/** An entry as the provider sends it, loosely typed because tests break it. */
export type RawCoin = Record<string, unknown> & { id: number; name: string; symbol: string; date_added: string; quote: { USD: RawQuote } };
type RawQuote = Record<string, unknown> & { price: number; market_cap: number };
type RawInfo = Record<string, unknown>;

export interface World {
  coins: RawCoin[];
  info: Record<string, RawInfo>;
}

const figures = (price: number, cap: number, change: number) => ({
  price,
  market_cap: cap,
  volume_24h: cap / 20,
  volume_change_24h: change * 2,
  fully_diluted_market_cap: cap * 1.1,
  percent_change_1h: change / 24,
  percent_change_24h: change,
  percent_change_7d: change * 2,
  percent_change_30d: change * 3,
  percent_change_60d: change * 4,
  percent_change_90d: change * 5,
});

/** Creates 150 coins in the provider's format. Coin 1 is Bitcoin, and some have odd names. */
export function madeUpWorld(): World {
  const odd: Record<number, [name: string, symbol: string]> = {
    1: ['Bitcoin', 'BTC'],
    2: ['<img src=x onerror=alert(1)>', 'IMG'],
    3: ['עברית\u202e gnp.exe', 'RTL'],
  };
  const coins = Array.from({ length: 150 }, (_, index): RawCoin => {
    const id = index + 1;
    const [name, symbol] = odd[id] ?? [`Coin ${id}`, `C${id}`];
    return {
      id,
      name,
      symbol,
      slug: `coin-${id}`,
      cmc_rank: id,
      date_added: new Date(Date.UTC(2015, 0, 1) + ((id * 7919) % 3000) * 86_400_000).toISOString(),
      circulating_supply: 1e6 * id,
      total_supply: 2e6 * id,
      max_supply: id % 3 === 0 ? null : 3e6 * id,
      tags: id % 4 === 1 ? ['layer-1', 'smart-contracts'] : ['defi'],
      quote: { USD: figures(90_000 / id ** 2, 2e12 / id ** 2, ((id * 37) % 41) - 20) },
    };
  });
  return {
    coins,
    info: {
      1: {
        id: 1,
        tags: ['mineable', 'layer-1'],
        'tag-names': ['Mineable', 'Layer 1'],
        urls: {
          website: ['https://bitcoin.org/'],
          technical_doc: ['https://bitcoin.org/bitcoin.pdf'],
          reddit: ['https://reddit.com/r/bitcoin'],
          source_code: ['https://github.com/bitcoin/bitcoin'],
          explorer: ['https://blockchain.info/', 'https://blockchair.com/bitcoin'],
        },
      },
      2: {
        id: 2,
        tags: null,
        urls: {
          website: ['javascript:alert(1)', 'https://img.example/'],
          technical_doc: [],
          reddit: null,
          source_code: ['not an address'],
        },
      },
    },
  };
}

/** The provider's recorded answers of February 21, 2025. */
export function recordedWorld(): World {
  const read = (name: string) => JSON.parse(readFileSync(`${RECORDED}/${name}`, 'utf8')).data;
  return { coins: read('cmc_listings_latest_2025-02-21_top100.json'), info: read('cmc_info_sample.json') };
}
