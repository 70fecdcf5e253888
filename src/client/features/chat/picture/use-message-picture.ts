import { useMemo } from 'react';
import useSWR from 'swr';
import { downloadImage } from '#client/platform/api/download.ts';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { imageIdOf } from '#contract/chat/chat-images.ts';

export interface MessagePicture {
  /** Object URL of the picture; undefined while it loads. */
  url: string | undefined;
  /** It is not on the device and the download failed. */
  failed: boolean;
}

/**
 * Returns a picture by its path (`Message.preview_image` or `Message.chat_image`), from the device or the server. Previews
 * are stored for offline reading.
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

/** Reads the stored copy or the unsent attachment. */
async function readPicture(db: UserDb, path: string): Promise<{ type: string; bytes: ArrayBuffer } | undefined> {
  const id = imageIdOf(path);
  return (await db.images.get(path)) ?? (id === null ? undefined : await db.attachments.get(id));
}
