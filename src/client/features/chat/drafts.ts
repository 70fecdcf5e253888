/** What was typed and not sent yet, by user and conversation, for as long as the page lives. */
const drafts = new Map<string, string>();

export const readDraft = (key: string): string => drafts.get(key) ?? '';

export function writeDraft(key: string, text: string): void {
  if (text) drafts.set(key, text);
  else drafts.delete(key);
}
