import * as z from 'zod/mini';

/** Time that the provider's page has to draw a chart, ms. */
export const PROVIDER_LIMIT_MS = 8_000;
/** Time without a new attempt after a failure, ms. */
const BACKOFF_MS = 10 * 60_000;
/** Storage key: set if the user chose our chart on this device. */
const OWN = 'own-chart';

let failedAt = Number.NEGATIVE_INFINITY;

/** Returns the provider's name of a coin: symbol and currency. Undefined for symbols that no exchange lists. */
export const providerSymbol = (symbol: string): string | undefined =>
  /^[A-Z0-9]{1,15}$/i.test(symbol) ? `${symbol.toUpperCase()}USD` : undefined;

export const isProviderBackingOff = (now: number): boolean => now - failedAt < BACKOFF_MS;

export function rememberProvider(drew: boolean, now: number): void {
  failedAt = drew ? Number.NEGATIVE_INFINITY : now;
}

export const isOwnChartPreferred = (): boolean => localStorage.getItem(OWN) === 'true';

export function preferOwnChart(isPreferred: boolean): void {
  if (isPreferred) localStorage.setItem(OWN, 'true');
  else localStorage.removeItem(OWN);
}

const message = z.object({ type: z.enum(['chart-ready', 'chart-failed']) });

/** Parses a message of the provider's page. Undefined for any other message. */
export function readProviderMessage(data: unknown): 'chart-ready' | 'chart-failed' | undefined {
  return message.safeParse(data).data?.type;
}
