import { SECOND } from '#domain/clock.ts';
import { brieflyKept } from '#server/ports/exchange/live/briefly-kept.ts';
import { loadCandles, unbroken } from '#server/ports/exchange/live/candle-pages.ts';
import { createConnections } from '#server/ports/exchange/live/connection.ts';
import { createLiveFeed, finalTo } from '#server/ports/exchange/live/feed.ts';
import type { ExchangeContext } from '#server/ports/exchange/open-context.ts';
import type { PublicMarket } from '#server/ports/exchange/public-market.ts';
import { TIMEOUTS_MS } from '../bybit.ts';
import { createPageReader } from '../candle-pages.ts';
import { apiUrls, streamUrl } from '../hosts.ts';
import { marketName } from '../market.ts';
import { addressBudgets } from '../open.ts';
import { PROTOCOL } from '../protocol.ts';
import { createPriceStream } from './price-stream.ts';
import { readLastPrice, readPerpetual } from './ticker.ts';

type Options = Pick<ExchangeContext, 'db' | 'clock' | 'isAlone' | 'testnet' | 'baseUrl' | 'region' | 'interval' | 'report'>;

/** How long a start waits for Bybit's answer, ms. */
const REACH_LIMIT = 2 * SECOND;

/** Returns whether Bybit answers within two seconds, and does not block this server's address. Loads no package for it. */
export async function isBybitReachable(
  { db, clock, isAlone, testnet, baseUrl, region }: Omit<Options, 'interval' | 'report'>,
  limit = REACH_LIMIT,
): Promise<boolean> {
  const { requests } = addressBudgets({ db, clock, isAlone, testnet });
  const [url] = apiUrls({ region, testnet, baseUrl });
  const signal = AbortSignal.timeout(limit);
  try {
    const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const isFree = requests.take('look');
    await Promise.race([isFree, late]);
    const answer = await fetch(`${url}/v5/market/time`, { signal, redirect: 'error' });
    if (answer.status === 403) await requests.block();
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Opens Bybit's public market of BTC. Sends no request until a caller needs one. */
export function openBybitMarket({ db, clock, isAlone, testnet, baseUrl, region, interval, report }: Options): PublicMarket {
  const { requests, dials } = addressBudgets({ db, clock, isAlone, testnet });
  const urls = apiUrls({ region, testnet, baseUrl });
  const connections = createConnections({ protocol: PROTOCOL, urls, clock, budget: requests, patience: TIMEOUTS_MS });
  const { now } = connections;
  const marks = createPageReader(connections, 'mark');
  return {
    candles: createLiveFeed({ now, pages: createPageReader(connections), source: marketName(testnet), interval, report }),
    finalTo: (length) => finalTo(now(), length),
    marks: async (length, from, to) => unbroken(await loadCandles(marks, length, from, to), length),
    lastPrice: () => readLastPrice(connections),
    perpetual: brieflyKept(() => readPerpetual(connections, marketName(testnet)), now),
    follow: (onPrice) => createPriceStream({ url: streamUrl(urls[0], 'market'), dials, onPrice }),
  };
}
