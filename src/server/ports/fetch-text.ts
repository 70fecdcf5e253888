import { bytesOf } from './bytes-of.ts';
import { readLimited } from './read-limited.ts';

interface Request {
  method?: string;
  headers: Record<string, string>;
  /** Time limit of the whole answer, ms. */
  patience: number;
  maxBytes: number;
}

/** Fetches a whole answer. Rejects for one that is late or too long, and for a redirect, which would send a key to another host. */
export async function fetchText(url: string, { patience, maxBytes, ...request }: Request): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(url, { ...request, redirect: 'error', signal });
  return { response, text: await readLimited(bytesOf(response, signal), maxBytes) };
}
