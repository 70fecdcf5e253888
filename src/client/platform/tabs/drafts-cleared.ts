import { openChannel } from './open-channel.ts';

const listeners = new Set<(database: string) => void>();

function tell(database: string) {
  for (const listener of listeners) listener(database);
}
const post = openChannel('tidemark/drafts-cleared', tell);

/** Calls `listener` when the user deletes the drafts of a database, in this tab or another. */
export function onDraftsCleared(listener: (database: string) => void): void {
  listeners.add(listener);
}

/** Tells all tabs that the user deleted the drafts of a database. */
export function tellDraftsCleared(database: string): void {
  tell(database);
  post(database);
}
