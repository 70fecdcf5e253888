import { useMemo } from 'react';
import useSWR from 'swr';
import { downloadImage } from '../api/download.ts';
import { useLive } from '../cache/use-live.ts';
import { transact } from '../db/transact.ts';
import { type ImageRow, type UserDb, userDb } from '../db/user-db.ts';
import { useObjectUrl } from '../use-object-url.ts';
import { useClaims } from './use-session.ts';

/** Stores the user's picture on the device and deletes the previous version. */
export async function keepPicture(db: UserDb, image: ImageRow): Promise<void> {
  const [path = ''] = image.path.split('?', 1);
  await transact(db, [db.images], async (db) => {
    await db.images.where('path').startsWith(path).delete();
    await db.images.put(image);
  });
}

/**
 * Returns an object URL of the user's picture, from the device or else downloaded and stored. Undefined until it is
 * loaded, or without a picture. `path` is `User.profile_image`.
 */
export function useProfilePicture(path: string | null): string | undefined {
  const db = userDb(useClaims().sub);
  const key = path && `${db.name}/image${path}`;
  const stored = useLive(key, async () => ({ image: path === null ? undefined : await db.images.get(path) }));
  const fetchPicture = async () => {
    if (path !== null) await keepPicture(db, { path, ...(await downloadImage(path)) });
  };
  useSWR(stored && !stored.image ? key : null, fetchPicture, { revalidateOnFocus: false });

  const image = stored?.image;
  return useObjectUrl(useMemo(() => image && new Blob([image.bytes], { type: image.type }), [image]));
}
