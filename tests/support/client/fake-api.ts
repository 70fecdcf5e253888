import { vi } from 'vitest';
import { HEALTH_PATH } from '#contract/paths.ts';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Asked {
  /** Such as `POST /api/auth/login/`. */
  call: string;
  body: unknown;
}

/** Answers by call. A call without an answer fails as it does offline. */
export type Answers = Record<string, Answer | (() => Answer | Promise<Answer>)>;

/** Replaces `fetch` in component tests and records the calls, but no probes: an offline device may look for the server at any time. */
export function fakeApi(answers: Answers): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${input}`;
    if (!call.endsWith(HEALTH_PATH)) asked.push({ call, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const answer = answers[call];
    if (!answer) throw new TypeError('Failed to fetch');
    const { status, body: answered, headers } = typeof answer === 'function' ? await answer() : answer;
    return new Response(JSON.stringify(answered), { status, headers: { 'Content-Type': 'application/json', ...headers } });
  });
  return asked;
}

/** Creates an error answer in the shape of contract/errors. */
export const refusal = (status: number, message: string, detail?: Record<string, unknown>): Answer => ({
  status,
  body: { status, code: 'refused', message, ...(detail && { detail }) },
});
