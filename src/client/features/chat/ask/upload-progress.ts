import { createValue } from '#client/platform/create-value.ts';
import { useValue } from '#client/platform/use-value.ts';

/** The share of each picture that has left the device, 0 to 1, by the picture's id. Lists only uploads under way. */
const uploads = createValue<ReadonlyMap<string, number>>(new Map());

/** Stores the progress of an upload; undefined ends it. */
export function setUploaded(imageId: string, share: number | undefined): void {
  const next = new Map(uploads.get());
  if (share === undefined) next.delete(imageId);
  else next.set(imageId, share);
  uploads.set(next);
}

/** Returns the share of a picture that has been sent, 0 to 1; undefined while it is not being uploaded. */
export function useUploaded(imageId: string | null): number | undefined {
  const shares = useValue(uploads);
  return imageId === null ? undefined : shares.get(imageId);
}
