import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { downloadImage } from '../api/download';
import { useLive } from '../cache/use-live';
import { type ImageRow, type UserDb, userDb } from '../db/user-db';
import { useClaims } from './use-session';

/** Kept on the device; the picture before it goes, which lay under the same path with another version. */
async function keepPicture(db: UserDb, path: string): Promise<void> {
  const image = await downloadImage(path);
  await db.transaction('rw', db.images, async () => {
    await db.images.where('path').startsWith(withoutVersion(path)).delete();
    await db.images.put({ path, ...image });
  });
}

const withoutVersion = (path: string) => path.split('?', 1)[0] ?? path;

/**
 * An address for the user's picture, good on this page: from the device, else fetched with the bearer and kept.
 * Undefined without one, and until it is here. `path` is `User.profile_image`.
 */
export function useProfilePicture(path: string | null): string | undefined {
  const db = userDb(useClaims().sub);
  const key = path && `${db.name}/image${path}`;
  const stored = useLive(key, async () => ({ image: path === null ? undefined : await db.images.get(path) }));
  useSWR(stored && !stored.image ? key : null, () => (path === null ? undefined : keepPicture(db, path)), { revalidateOnFocus: false });
  return useObjectUrl(stored?.image);
}

function useObjectUrl(image: ImageRow | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!image) return;
    const made = URL.createObjectURL(new Blob([image.bytes], { type: image.type }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [image]);
  return url;
}
