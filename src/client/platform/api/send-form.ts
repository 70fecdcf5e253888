import type * as z from 'zod/mini';
import { API_URL } from '../settings.ts';
import { asUser } from './call.ts';
import { exchange, parseAnswer, refusalOf } from './send.ts';
import { STALLED, type Upload } from './upload.ts';

/** Bytes a millisecond of the slowest connection that is waited for. */
const SLOWEST = 40;

/** Sends form data in the signed-in user's name without telling how far it is: a worker has only `fetch`. Throws as `send`. */
export const sendForm = <Schema extends z.ZodMiniType>(
  path: string,
  { form, key, answer }: Pick<Upload<Schema>, 'form' | 'key' | 'answer'>,
): Promise<z.infer<Schema>> =>
  asUser(async (token) => {
    const headers = new Headers({ Accept: 'application/json', 'Idempotency-Key': key });
    if (token) headers.set('Authorization', `Bearer ${token}`);
    const signal = AbortSignal.timeout(STALLED + Math.ceil(sizeOf(form) / SLOWEST));
    const { status, ok, json } = await exchange(`${API_URL}${path}`, {
      method: 'POST',
      headers,
      body: form,
      credentials: 'include',
      signal,
    });
    if (!ok) throw refusalOf(status, json);
    return parseAnswer(answer, status, json);
  });

/** About how many bytes: `fetch` does not tell how far it is, so that the time depends on the size. */
const sizeOf = (form: FormData): number =>
  [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? value.length : value.size), 0);
