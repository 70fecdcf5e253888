import { createValue } from '../create-value.ts';

/** How many notifications the signed-in user has not read, as far as this device knows. */
export const { use: useUnread, set: setUnread } = createValue(0);
