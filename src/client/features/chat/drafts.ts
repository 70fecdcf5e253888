import { onSignOut } from '../../platform/session/sign-out';

/** What was typed and not sent yet, by `user/conversation`, until the page is closed or the user signs out. */
const drafts = new Map<string, string>();

export const readDraft = (key: string): string => drafts.get(key) ?? '';

export function writeDraft(key: string, text: string): void {
  if (text) drafts.set(key, text);
  else drafts.delete(key);
}

onSignOut((userId) => {
  for (const key of drafts.keys()) if (key.startsWith(`${userId}/`)) drafts.delete(key);
});
