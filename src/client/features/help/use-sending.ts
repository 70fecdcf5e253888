import { useSyncExternalStore } from 'react';
import { onSending, type Share, shareSent } from '#client/platform/outbox/sending.ts';

/** How far a message is; undefined while nobody sends it. */
export const useSending = (id: string): Share | undefined => useSyncExternalStore(onSending, () => shareSent(id));
