import { createValue } from '../create-value.ts';

/** Whether the last attempt to connect the socket failed before the server answered: some networks block WebSockets. */
export const socketBlocked = createValue(false);
