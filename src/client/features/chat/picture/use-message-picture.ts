import { useMemo } from 'react';
import useSWR from 'swr';
import { downloadImage } from '#client/platform/api/download.ts';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { imageIdOf } from '#contract/chat/chat-images.ts';

export interface MessagePicture {
  /** An address for it, good on this page; undefined until it is here. */
  url: string | undefined;
  /** It is not on this device, and could not be had. */
  failed: boolean;
}

/**
 * A picture by its path (`Chat.preview_image`, `Chat.chat_image`): from the device, else fetched with the session. Small
 * copies are kept for reading offline. Null: none is wanted.
 */
export function useMessagePicture(path: string | null): MessagePicture {
  const db = userDb(useClaims().sub);
  const key = path && `${db.name}/image${path}`;
  const stored = useLive(key, async () => ({ image: path === null ? undefined : await readPicture(db, path) }));
  const isPreview = path?.endsWith('/preview') ?? false;
  const fetchPicture = async () => {
    if (path === null) return undefined;
    const image = await downloadImage(path);
    if (isPreview) await db.images.put({ path, ...image });
    return image;
  };
  const fetched = useSWR(stored && !stored.image ? key : null, fetchPicture, { revalidateOnFocus: false, revalidateIfStale: false });

  const image = stored?.image ?? fetched.data;
  const url = useObjectUrl(useMemo(() => image && new Blob([image.bytes], { type: image.type }), [image]));
  return { url, failed: !image && fetched.error !== undefined };
}

/** What the device has: the picture as it will be sent, or the copy that it keeps. */
async function readPicture(db: UserDb, path: string): Promise<{ type: string; bytes: ArrayBuffer } | undefined> {
  const id = imageIdOf(path);
  return (await db.images.get(path)) ?? (id === null ? undefined : await db.attachments.get(id));
}
