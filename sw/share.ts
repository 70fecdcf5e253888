import { receiveShare } from '../src/client/platform/shared/receive-share.ts';
import { SHARE_PATH, shareAddress } from '../src/contract/share.ts';

declare const self: ServiceWorkerGlobalScope;

/** Tests whether a request is what another app shares to this one. */
export const isShare = (url: URL, { method }: Request): boolean => method === 'POST' && url.pathname === SHARE_PATH;

/** Stores what was shared on the device, and opens a new chat. The chat reads the picture; nothing is sent. */
export async function answerShare({ request }: FetchEvent): Promise<Response> {
  const problem = await request
    .formData()
    .then(receiveShare)
    .catch(() => 'broken' as const);
  return Response.redirect(new URL(shareAddress(problem), self.location.href).href, 303);
}
