import * as z from 'zod/mini';

/** How long the charting provider's page has to say that it drew something, ms. */
export const PROVIDER_LIMIT_MS = 8_000;
/** After a failure it is left alone for this long. */
const REST_MS = 10 * 60_000;
/** Drew a chart the last time: its place is then kept free from the start. */
const DREW = 'chart-provider';

let failedAt = Number.NEGATIVE_INFINITY;

/** What the provider calls a coin: symbol and currency. Undefined for symbols that no exchange lists. */
export const providerSymbol = (symbol: string): string | undefined =>
  /^[A-Z0-9]{1,15}$/i.test(symbol) ? `${symbol.toUpperCase()}USD` : undefined;

export const isProviderResting = (now: number): boolean => now - failedAt < REST_MS;
export const hasProviderDrawn = (): boolean => localStorage.getItem(DREW) === 'true';

export function rememberProvider(drew: boolean, now: number): void {
  failedAt = drew ? Number.NEGATIVE_INFINITY : now;
  if (drew) localStorage.setItem(DREW, 'true');
  else localStorage.removeItem(DREW);
}

const message = z.object({ type: z.enum(['chart-ready', 'chart-failed']) });

/** What a message from the provider's page says; undefined for anything else. */
export function readProviderMessage(data: unknown): 'chart-ready' | 'chart-failed' | undefined {
  return message.safeParse(data).data?.type;
}
