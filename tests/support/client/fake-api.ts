import { vi } from 'vitest';

interface Answer {
  status: number;
  body: unknown;
}

interface Asked {
  /** `POST /api/auth/login/` */
  call: string;
  body: unknown;
}

/** Answers by call; what is not named has no connection. */
export type Answers = Record<string, Answer | (() => Answer)>;

/** Stands in for the server in component tests: puts itself in the place of `fetch` and remembers what it was asked. */
export function fakeApi(answers: Answers): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${input}`;
    asked.push({ call, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const answer = answers[call];
    if (!answer) throw new TypeError('Failed to fetch');
    const { status, body: answered } = typeof answer === 'function' ? answer() : answer;
    return new Response(JSON.stringify(answered), { status, headers: { 'Content-Type': 'application/json' } });
  });
  return asked;
}

/** A refusal in the one shape of contract/errors. */
export const refusal = (status: number, message: string, detail?: Record<string, unknown>): Answer => ({
  status,
  body: { status, code: 'refused', message, ...(detail && { detail }) },
});
