import { fetchText } from '#server/ports/fetch-text.ts';

/** Bytes of an answer. The largest expected one, the names of all markets, has about three million. */
const MAX_BYTES = 8_000_000;

/** The parts of a response that ccxt reads. */
interface WholeResponse {
  status: number;
  statusText: string;
  headers: Headers;
  text(): Promise<string>;
}

/**
 * Returns a `fetch` that ends with the whole answer: ccxt's own one limits neither the size of an answer nor its time after
 * the first byte.
 * @param patience ms
 */
export const createLimitedFetch =
  (patience: number, maxBytes = MAX_BYTES) =>
  async (url: string, { method, headers }: { method: string; headers: Record<string, string> }): Promise<WholeResponse> => {
    const { response, text } = await fetchText(url, { method, headers, patience, maxBytes });
    const { status, statusText, headers: answered } = response;
    return { status, statusText, headers: answered, text: async () => text };
  };
