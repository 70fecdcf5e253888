import { reportReachable, reportUnreachable } from '../live/reachability.ts';
import { API_URL } from '../settings.ts';
import { asUser } from './call.ts';
import { NetworkError } from './errors.ts';
import { refusalOf } from './send.ts';

/** ms. */
const TIMEOUT = 120_000;

/** Downloads a private image of the signed-in user. Throws as `send`. */
export const downloadImage = (path: string): Promise<{ type: string; bytes: ArrayBuffer }> => asUser((token) => fetchImage(path, token));

async function fetchImage(path: string, token: string | undefined) {
  let response: Response;
  let bytes: ArrayBuffer;
  try {
    response = await fetch(`${API_URL}${path}`, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      credentials: 'include',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    bytes = await response.arrayBuffer();
    reportReachable();
  } catch (error) {
    reportUnreachable();
    throw new NetworkError(error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
  }
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok || !type.startsWith('image/')) throw await refusalOf({ status: response.status });
  return { type, bytes };
}
