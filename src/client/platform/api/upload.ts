import { reportReachable, reportUnreachable } from '../live/reachability.ts';
import { API_URL } from '../settings.ts';
import { asUser } from './call.ts';
import { NetworkError } from './errors.ts';
import { type AnswerSchema, parseAnswer, refusalOf } from './send.ts';

/** An upload without progress for this long fails, ms. */
export const STALLED = 120_000;

export interface Upload<Data> {
  method: 'POST' | 'PATCH';
  form: FormData;
  /** Schema of a 2xx answer. */
  answer: AnswerSchema<Data>;
  /** Travels as `Idempotency-Key`. */
  key: string;
  /** Called with the share that has left the device, 0 to 1. */
  onProgress: (sent: number) => void;
}

/** Sends form data with the user's access token and reports progress, which `fetch` cannot. Throws as `send`. */
export const upload = <Data>(path: string, request: Upload<Data>): Promise<Data> =>
  asUser(async (token) => {
    const answered = await exchange(path, request, token);
    if (answered.status < 200 || answered.status > 299) throw await refusalOf(answered);
    return parseAnswer(request.answer, answered);
  });

function exchange(path: string, { method, form, key, onProgress }: Upload<unknown>, token: string | undefined) {
  return new Promise<{ status: number; json: unknown; retryAfter: number }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fail = (reason: 'unreachable' | 'timeout') => {
      clearTimeout(timer);
      reportUnreachable();
      reject(new NetworkError(reason));
    };
    const waitAgain = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        request.abort();
        fail('timeout');
      }, STALLED);
    };
    request.open(method, `${API_URL}${path}`);
    request.withCredentials = true;
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Idempotency-Key', key);
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => {
      waitAgain();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onerror = () => fail('unreachable');
    request.onload = () => {
      clearTimeout(timer);
      try {
        const json: unknown = JSON.parse(request.responseText);
        reportReachable();
        resolve({ status: request.status, json, retryAfter: Number(request.getResponseHeader('Retry-After') ?? Number.NaN) });
      } catch {
        fail('unreachable'); // a captive portal or a proxy answers in HTML
      }
    };
    waitAgain();
    request.send(form);
  });
}
