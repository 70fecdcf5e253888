const tabs = new BroadcastChannel('tidemark/drafts-cleared');
const listeners = new Set<(database: string) => void>();

function tell(database: string) {
  for (const listener of listeners) listener(database);
}
tabs.onmessage = ({ data }: MessageEvent<string>) => tell(data);

/** Calls for the drafts that a page keeps in memory to be forgotten: the user threw them away, in this tab or another. */
export function onDraftsCleared(listener: (database: string) => void): void {
  listeners.add(listener);
}

/** The drafts of a user's database were thrown away. */
export function tellDraftsCleared(database: string): void {
  tell(database);
  tabs.postMessage(database);
}
