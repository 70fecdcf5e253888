import { openChannel } from '../tabs/open-channel.ts';
import { SIGN_OUT_CHANNEL } from '../tabs/sign-out-channel.ts';

const listeners = new Set<(userId: string) => void>();

function tell(userId: string) {
  for (const listener of listeners) listener(userId);
}
const post = openChannel(SIGN_OUT_CHANNEL, tell);

/** Calls `listener` when a user has signed out, in this tab or another: forget what is in memory of them. */
export function onSignOut(listener: (userId: string) => void) {
  listeners.add(listener);
}

/** Tells this tab, all others, and the worker. */
export function broadcastSignOut(userId: string) {
  tell(userId);
  post(userId);
}
