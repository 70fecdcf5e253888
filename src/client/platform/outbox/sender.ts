import { backoff, type DrainResult } from './outbox.ts';

/**
 * Makes draining something that can be asked for at any time: one drain after another, once more for what was asked
 * for meanwhile, and again by itself, later each time, after a failure. `drainNow` does nothing where nothing can be sent.
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
      console.error('what waits to be sent could not be read from the device', error);
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
