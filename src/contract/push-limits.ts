/** Subscriptions of a user. One more ends the one that was confirmed longest ago. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

/** `code` of the 409 that says that the browser subscribed with a key that the server no longer has. */
export const OTHER_PUSH_KEY = 'other_push_key';

/** `type` of the message by which the worker asks a page to open a path. */
export const OPEN_PATH = 'OPEN_PATH';
