import { createValue } from '../create-value.ts';
import { useValue } from '../use-value.ts';

/** The number of notifications the signed-in user has not read, as far as this device knows. */
const unread = createValue(0);

export const setUnread = unread.set;
export const useUnread = (): number => useValue(unread);
