const channel = new BroadcastChannel('tidemark/sign-out');
const listeners = new Set<(userId: string) => void>();

function tell(userId: string) {
  for (const listener of listeners) listener(userId);
}
channel.onmessage = ({ data }: MessageEvent<string>) => tell(data);

/** Calls `listener` when a user has signed out, in this tab or another: forget what is in memory of them. */
export function onSignOut(listener: (userId: string) => void) {
  listeners.add(listener);
}

/** Tells this tab, all others, and the worker. */
export function broadcastSignOut(userId: string) {
  tell(userId);
  channel.postMessage(userId);
}
