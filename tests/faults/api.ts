import { tokensAnswer } from '#contract/account/tokens.ts';
import type { RunningApp } from '../support/processes/app.ts';

/** Returns the header by which the simulated proxy gives a user an IP address of their own. */
export const fromAddress = (from: number) => ({
  'x-forwarded-for': `10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`,
});

/** Calls the app's API from its own IP address. Resolves with any answer in JSON, rejects when the server is gone. */
export async function call(
  app: Pick<RunningApp, 'url'>,
  from: number,
  path: string,
  init: { body?: unknown; token?: string; signal?: AbortSignal } = {},
) {
  const response = await fetch(`${app.url}/api${path}`, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: {
      ...fromAddress(from),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(init.token && { authorization: `Bearer ${init.token}` }),
    },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    ...(init.signal && { signal: init.signal }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
}

export const PASSWORD = 'Crash-test-1';

export const register = (app: Pick<RunningApp, 'url'>, from: number, email: string, signal?: AbortSignal) =>
  call(app, from, '/auth/register/', {
    body: { first_name: 'Crash', last_name: 'Test', email, country: '', password: PASSWORD },
    ...(signal && { signal }),
  });

export interface Account {
  userId: string;
  token: string;
  refreshToken: string;
  email: string;
}

/** Creates an account, verified and logged in. */
export async function signUp(app: Pick<RunningApp, 'url' | 'readCode'>, from: number, email: string): Promise<Account> {
  await register(app, from, email);
  const recoveryCode = await app.readCode(email);
  await call(app, from, '/auth/verify-otp/', { body: { email, recoveryCode } });
  const { body } = await call(app, from, '/auth/login/', { body: { email, password: PASSWORD } });
  const { accessToken, refreshToken } = tokensAnswer.parse(body).data;
  const { sub } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  return { userId: sub, token: accessToken, refreshToken, email };
}
