import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import type { NotificationSettings, NotificationSettingsBody } from '#contract/notifications/settings.ts';
import { readPreferences, savePreferences } from './preferences.ts';

export interface Preferences {
  /** Undefined while unknown. What the user changes shows at once. */
  data: NotificationSettings | undefined;
  /** Why they could not be loaded. */
  error: unknown;
  offline: boolean;
  /** Why the last change was not saved; it is undone then. */
  refused: string | undefined;
  refresh(): Promise<void>;
  change(changes: Partial<NotificationSettingsBody>): void;
}

/** Reads the settings when the page opens, returns or is online again, and saves changes one after the other. */
export function usePreferences(userId: string): Preferences {
  const offline = !useReachable();
  const [data, setData] = useState<NotificationSettings>();
  const [error, setError] = useState<unknown>();
  const [refused, setRefused] = useState<string>();
  const latest = useRef<NotificationSettings>(undefined);
  const saving = useRef(Promise.resolve());
  const waiting = useRef(0);

  const show = useCallback((next: NotificationSettings) => {
    latest.current = next;
    setData(next);
  }, []);

  const refresh = useCallback(async () => {
    try {
      const read = await readPreferences(userId);
      // An answer from before a change would undo it on the screen.
      if (waiting.current === 0) show(read);
      setError(undefined);
    } catch (failed) {
      setError(failed);
    }
  }, [userId, show]);

  useEffect(() => {
    if (offline) return;
    void refresh();
    const look = () => {
      if (document.visibilityState === 'visible') void refresh();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [offline, refresh]);

  const change = (changes: Partial<NotificationSettingsBody>) => {
    if (!latest.current) return;
    const next = { ...latest.current, ...changes };
    show(next);
    setRefused(undefined);
    waiting.current += 1;
    const { choices, quiet, time_zone } = next;
    const save = async () => {
      let failure: unknown;
      await savePreferences(userId, { choices, quiet, time_zone }).catch((failed: unknown) => {
        failure = failed;
      });
      waiting.current -= 1;
      if (failure === undefined) return;
      setRefused(`${errorMessage(failure)} The change was not saved.`);
      await refresh();
    };
    saving.current = saving.current.then(save);
  };

  return { data, error, offline, refused, refresh, change };
}
