import { openChannel } from '../tabs/open-channel.ts';
import { SIGN_OUT_CHANNEL } from '../tabs/sign-out-channel.ts';
import { currentUserId, onSessionChange } from './session.ts';

const listeners = new Set<(userId: string) => void>();

function tell(userId: string) {
  for (const listener of listeners) listener(userId);
}
const post = openChannel(SIGN_OUT_CHANNEL, tell);

/** Calls `listener` when a user has signed out, in this tab or another: the device deletes all data of the user. */
export function onSignOut(listener: (userId: string) => void) {
  listeners.add(listener);
}

/** Calls `forget` when a user has signed out, and when this tab's user changes or the server ends the session. */
export function onUserGone(forget: (userId: string) => void) {
  onSignOut(forget);
  let user = currentUserId();
  onSessionChange(() => {
    const next = currentUserId();
    if (user && user !== next) forget(user);
    user = next;
  });
}

/** Tells this tab, all others, and the worker. */
export function broadcastSignOut(userId: string) {
  tell(userId);
  post(userId);
}
