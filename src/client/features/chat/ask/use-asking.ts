import { useState } from 'react';
import type { LocalMessage } from '../conversation/conversation.ts';

/**
 * Shows a question from the tap on that sends it, while the device still stores it.
 * @param stored messages of the conversation that the device has
 * @returns the messages to show, and a setter for the question; undefined takes it back
 */
export function useAsking(
  archiveId: string | undefined,
  stored: LocalMessage[] | undefined,
): { messages: LocalMessage[] | undefined; setAsking: (question: LocalMessage | undefined) => void } {
  const [asking, setAsking] = useState<LocalMessage>();
  const isElsewhere = asking !== undefined && archiveId !== undefined && asking.archive_id !== archiveId;
  const isOver = asking !== undefined && stored?.some(({ id }) => id === asking.id);
  if (isElsewhere || isOver) setAsking(undefined);
  return { messages: asking && !isElsewhere && !isOver ? [...(stored ?? []), asking] : stored, setAsking };
}
