import { backoff, type DrainResult } from './outbox.ts';

/**
 * Returns a function that requests a drain at any time. Drains run one after another; a request during a drain starts one
 * more, and a failed drain retries with a backoff.
 */
export function createSender(drainNow: () => Promise<DrainResult>): () => void {
  let sending = false;
  let again = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function soon(): void {
    if (sending) again = true;
    else void send();
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    sending = true;
    again = false;
    try {
      if ((await drainNow()) === 'stopped') later();
      else failures = 0;
    } catch (error) {
      console.error('reading queued commands from the device failed', error);
      later();
    } finally {
      sending = false;
    }
    if (again) soon();
  }

  function later() {
    timer = setTimeout(soon, backoff(failures++));
  }

  return soon;
}
