import { API_URL } from '../settings.ts';
import { asUser } from './call.ts';
import { exchange, parseAnswer, refusalOf } from './send.ts';
import { STALLED, type Upload } from './upload.ts';

/** The slowest supported connection, bytes per millisecond. */
const MIN_SPEED = 40;

/** Sends form data with the user's access token, without progress: `fetch` reports none. Throws as `send`. */
export const sendForm = <Data>(
  path: string,
  { form, key, answer }: Pick<Upload<Data>, 'form' | 'answer'> & Partial<Pick<Upload<Data>, 'key'>>,
): Promise<Data> =>
  asUser(async (token) => {
    const answered = await exchange(requestForm(path, form, token, key));
    if (!answered.ok) throw await refusalOf(answered);
    return parseAnswer(answer, answered);
  });

/** Sends form data as `request` sends JSON. Rejects after a time that depends on its size. */
function requestForm(path: string, form: FormData, accessToken?: string, key?: string): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  if (key) headers.set('Idempotency-Key', key);
  if (accessToken) headers.set('Authorization', `Bearer ${accessToken}`);
  const signal = AbortSignal.timeout(STALLED + Math.ceil(sizeOf(form) / MIN_SPEED));
  return fetch(`${API_URL}${path}`, { method: 'POST', headers, body: form, credentials: 'include', signal });
}

/** Returns the approximate size in bytes. It sets the timeout, because `fetch` reports no progress. */
const sizeOf = (form: FormData): number =>
  [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? value.length : value.size), 0);
