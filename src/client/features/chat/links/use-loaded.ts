import { useCallback, useEffect, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';

export interface Loaded<Data> {
  data: Data | undefined;
  error: unknown;
  /** Reads again; what is shown stays meanwhile. */
  reload: () => void;
  /** Replaces what is shown. */
  change: (data: Data) => void;
}

/** Reads something from the server that the device does not store, and again when the connection is back. */
export function useLoaded<Data>(read: () => Promise<Data>): Loaded<Data> {
  const reachable = useReachable();
  const [data, setData] = useState<Data>();
  const [error, setError] = useState<unknown>();
  const [requests, setRequests] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `requests` and `reachable` read again, `read` is new at each render
  useEffect(() => {
    let isCurrent = true;
    setError(undefined);
    read().then(
      (found) => isCurrent && setData(found),
      (reason: unknown) => isCurrent && setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [requests, reachable]);

  return { data, error, reload: useCallback(() => setRequests((number) => number + 1), []), change: setData };
}
