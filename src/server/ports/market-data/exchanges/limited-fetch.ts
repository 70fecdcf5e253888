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
    const response = await fetch(url, { method, headers, redirect: 'error', signal: AbortSignal.timeout(patience) });
    const text = await readText(response, maxBytes);
    const { status, statusText, headers: answered } = response;
    return { status, statusText, headers: answered, text: async () => text };
  };

/** Reads a body. Throws, and closes the connection, as soon as it is longer than `max` bytes. */
async function readText({ body }: Response, max: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > max) throw new Error(`the answer has more than ${max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
