import { useSyncExternalStore } from 'react';

/** How much of each picture has left the device, 0 to 1, while it is being sent. */
const uploaded = new Map<string, number>();
const listeners = new Set<() => void>();

export function setUploaded(imageId: string, share: number | undefined): void {
  if (share === undefined) uploaded.delete(imageId);
  else uploaded.set(imageId, share);
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** How much of a picture has been sent, 0 to 1; undefined while it is not on its way. */
export const useUploaded = (imageId: string | null): number | undefined =>
  useSyncExternalStore(subscribe, () => (imageId === null ? undefined : uploaded.get(imageId)));
