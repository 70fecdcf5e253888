import { keepEarlyAnswer } from '../platform/api/early-answer.ts';
import { request } from '../platform/api/request.ts';
import { firstRequest } from './first-request.ts';
import { storedToken } from './stored-token.ts';

/**
 * Sends the first request of the page while the main script loads. The app takes the answer over (api/early-answer.ts).
 * Where a worker serves the app's files, the main script is there as soon as this one.
 */
export async function startEarly(): Promise<void> {
  if (navigator.serviceWorker?.controller || !firstRequest(location, '')) return;
  const session = await storedToken();
  const first = session && firstRequest(location, session.userId);
  if (!first) return;
  const { method, path, body } = first;
  keepEarlyAnswer(first, session.accessToken, () => request(method, path, body, session.accessToken));
}
