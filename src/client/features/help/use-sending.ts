import { useSyncExternalStore } from 'react';
import { onSending, type Share, shareSent } from '#client/platform/outbox/send-progress.ts';

/** Returns the upload progress of a message; undefined while it is not being sent. */
export const useSending = (id: string): Share | undefined => useSyncExternalStore(onSending, () => shareSent(id));
