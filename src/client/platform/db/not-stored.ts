/** What IndexedDB says when the device is full or its storage fails. */
const NAMES = ['QuotaExceededError', 'AbortError', 'UnknownError'];

/** The device has not stored something, for want of room or because its storage fails. */
export const isNotStored = (error: unknown): boolean => error instanceof Error && NAMES.includes(error.name);
