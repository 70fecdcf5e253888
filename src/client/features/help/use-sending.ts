import { useSyncExternalStore } from 'react';
import { onSending, type Share, shareSent } from '#client/platform/outbox/send-progress.ts';

/** How far a message is; undefined while nobody sends it. */
export const useSending = (id: string): Share | undefined => useSyncExternalStore(onSending, () => shareSent(id));
