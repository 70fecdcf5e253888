/** The lane of messages to support, deletion requests included. Also the tag of their background sync. */
export const CONTACTS = 'contacts';
/** Message that asks the worker to send queued messages. */
export const REPLAY = 'REPLAY';
