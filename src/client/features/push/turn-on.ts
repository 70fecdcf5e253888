import { errorMessage } from '#client/platform/api/errors.ts';
import { NotSubscribed, turnPushOn } from './push.ts';

/** Turns push messages on. Returns why that failed, for the user; undefined if it did not, or if the browser's answer says enough. */
export async function tryPush(): Promise<string | undefined> {
  try {
    await turnPushOn();
    return Notification.permission === 'default'
      ? 'You closed the question of your browser. Turn notifications on to see it again.'
      : undefined;
  } catch (error) {
    console.error('turning push messages on failed', error);
    const isBrowser = error instanceof NotSubscribed;
    return isBrowser ? 'Your browser could not reach its push service. Try again later, or use another browser.' : errorMessage(error);
  }
}
