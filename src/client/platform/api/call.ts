import type * as z from 'zod/mini';
import { accessToken, refresh } from '../session/session';
import { ApiError } from './errors';
import { type Call, send } from './send';

/** A request in the signed-in user's name: refreshed and retried once after a 401 (spec §9). Throws as `send`. */
export async function call<Schema extends z.ZodMiniType>(path: string, request: Call<Schema>): Promise<z.infer<Schema>> {
  const token = await accessToken();
  try {
    return await send(path, request, token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || !token) throw error;
    const fresh = await refresh(token);
    if (!fresh) throw error;
    return send(path, request, fresh);
  }
}
