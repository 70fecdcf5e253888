import { isMissing, NetworkError } from '#client/platform/api/errors.ts';
import { refusalOf, send } from '#client/platform/api/send.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { API_URL } from '#client/platform/settings.ts';
import { isLinkToken, type SharedChat, sharedChatAnswer } from '#contract/chat/chat-links.ts';
import { SECOND } from '#domain/clock.ts';

/** How long a picture may take, ms. */
const PICTURE_TIMEOUT = 60 * SECOND;

/** Reads the chat that a link opens; null if it opens nothing. Throws as `send`. Stores nothing on the device. */
export async function readSharedChat(token: string): Promise<SharedChat | null> {
  if (!isLinkToken(token)) return null;
  try {
    return (await send('/shared-chat', { method: 'POST', body: { token }, answer: sharedChatAnswer })).data;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Reads the picture at a place of a shared chat. Throws as `send`. */
export async function readSharedPicture(token: string, place: number): Promise<Blob> {
  let response: Response;
  let content: Blob;
  try {
    response = await fetch(`${API_URL}/shared-chat/picture`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, place }),
      signal: AbortSignal.timeout(PICTURE_TIMEOUT),
    });
    content = await response.blob();
    reportReachable();
  } catch (error) {
    throw new NetworkError(error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
  }
  if (!response.ok || !content.type.startsWith('image/')) throw await refusalOf({ status: response.status });
  return content;
}
