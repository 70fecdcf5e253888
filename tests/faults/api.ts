import type { RunningApp } from '../support/app';

/** One call to the app's API from an address of its own; resolves with status and body, rejects when the server is gone. */
export async function call(
  app: RunningApp,
  from: number,
  path: string,
  init: { body?: unknown; token?: string; signal?: AbortSignal } = {},
) {
  const response = await fetch(`${app.url}/api${path}`, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': `10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(init.token && { authorization: `Bearer ${init.token}` }),
    },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    ...(init.signal && { signal: init.signal }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

export const PASSWORD = 'Crash-test-1';

export const register = (app: RunningApp, from: number, email: string, signal?: AbortSignal) =>
  call(app, from, '/auth/register/', {
    body: { first_name: 'Crash', last_name: 'Test', email, country: '', password: PASSWORD },
    ...(signal && { signal }),
  });
