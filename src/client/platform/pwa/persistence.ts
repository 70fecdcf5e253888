/** Returns whether the browser keeps this app's data when the device runs short; undefined if it does not tell. */
export const isPersisted = async (): Promise<boolean | undefined> => navigator.storage?.persisted?.();

/** Asks the browser to keep this app's data. Some browsers ask the user, some decide themselves. */
export const askToPersist = async (): Promise<boolean> => (await navigator.storage?.persist?.()) ?? false;
