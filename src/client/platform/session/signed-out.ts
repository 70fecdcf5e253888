const channel = new BroadcastChannel('tidemark/sign-out');
const listeners = new Set<(userId: string) => void>();

function tell(userId: string) {
  for (const listener of listeners) listener(userId);
}
channel.onmessage = ({ data }: MessageEvent<string>) => tell(data);

/** Calls for what is kept of a user in memory to be forgotten: they signed out, in this tab or another. */
export function onSignOut(listener: (userId: string) => void) {
  listeners.add(listener);
}

/** Tells this tab, all others, and the worker. */
export function tellSignedOut(userId: string) {
  tell(userId);
  channel.postMessage(userId);
}
