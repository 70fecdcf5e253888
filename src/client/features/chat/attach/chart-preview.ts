import { useEffect } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';

const underway = new Set<string>();

/**
 * Reads an unsent picture on this device and stores the result with it. This is free: the server's analysis replaces it
 * later. Does nothing if the picture cannot be read.
 */
async function readOnDevice(db: UserDb, imageId: string): Promise<void> {
  if (underway.has(imageId)) return;
  underway.add(imageId);
  try {
    const picture = await db.attachments.get(imageId);
    if (!picture || picture.marks) return;
    const marks = await inWorker(new Blob([picture.bytes], { type: picture.type }));
    if (marks) await db.attachments.update(imageId, { marks });
  } finally {
    underway.delete(imageId);
  }
}

function inWorker(file: Blob): Promise<ChartMarks | null> {
  if (typeof OffscreenCanvas === 'undefined' || typeof Worker === 'undefined') return Promise.resolve(null);
  const worker = new Worker(new URL('./chart-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ChartMarks | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<ChartMarks | null>) => resolve(data);
    worker.onerror = () => resolve(null);
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

/** Returns this device's own reading of an unsent picture: while the server is unreachable, or at once. */
export function useDeviceReading(imageId: string | null, { isAtOnce = false } = {}): ChartMarks | undefined {
  const db = userDb(useClaims().sub);
  const reachable = useReachable();
  const found = useLive(imageId && `${db.name}/attachment/${imageId}`, async () => ({
    picture: imageId === null ? undefined : await db.attachments.get(imageId),
  }));
  const attached = found?.picture !== undefined;
  const marks = found?.picture?.marks;
  useEffect(() => {
    if (imageId && attached && !marks && (isAtOnce || !reachable)) {
      // The server reads the picture in any case.
      readOnDevice(db, imageId).catch((error: unknown) => console.error('reading a picture failed', error));
    }
  }, [db, imageId, attached, marks, reachable, isAtOnce]);
  return marks;
}
