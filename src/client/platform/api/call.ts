import { accessToken, refresh } from '../session/session.ts';
import { ApiError } from './errors.ts';
import { type Call, send } from './send.ts';

/** Makes a request with the user's access token. Refreshes the token and retries once after a 401. Throws as `request`. */
export async function asUser<Answer>(request: (accessToken: string | undefined) => Promise<Answer>): Promise<Answer> {
  const token = await accessToken();
  try {
    return await request(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || !token) throw error;
    const fresh = await refresh(token);
    if (!fresh) throw error;
    return request(fresh);
  }
}

/** Calls `send` with the user's access token. */
export const call = <Data>(path: string, request: Call<Data>): Promise<Data> => asUser((token) => send(path, request, token));
