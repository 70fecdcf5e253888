import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { manyCoins } from '#tests/attack/coins.ts';
import { type FakeCoinMarketCap, startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';

const DAILY_CREDITS = 200;
const MAX_TRIES = 1_500;
const AT_ONCE = 16;

let provider: FakeCoinMarketCap;

export const coinCredits: Attack = {
  name: 'details of every coin id, which cost credits',
  async prepare() {
    provider = await startCoinMarketCap(manyCoins(MAX_TRIES), Date.now());
    return {
      env: {
        MARKET: 'coinmarketcap',
        CMC_API_KEY: CMC_KEY,
        CMC_BASE_URL: provider.url,
        CMC_DAILY_CREDITS: String(DAILY_CREDITS),
        MARKET_TICK_MS: '60000',
      },
      close: () => provider.close(),
    };
  },
  async run({ client, attackers, signal }) {
    const began = provider.calls.length;
    let tries = 0;
    async function work(): Promise<void> {
      while (tries < MAX_TRIES && !signal.aborted) {
        const id = ++tries;
        const { userId = '', accessToken: token = '' } = attackers[id % attackers.length] ?? {};
        await client.call(`/api/coin-market/get-single-data/${id}/${userId}`, { token, from: addressIn(id % attackers.length, id) });
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const calls = provider.calls.length - began;
    const list = await client.call('/api/coin-market/get-data?limit=100', {
      token: attackers[0]?.accessToken ?? '',
      from: addressIn(0, 1),
    });
    return {
      tries,
      isHeld: calls <= DAILY_CREDITS && list.status === 200,
      evidence: `${calls} calls to the provider with ${DAILY_CREDITS} credits a day; the list then answers ${list.status}`,
    };
  },
};
