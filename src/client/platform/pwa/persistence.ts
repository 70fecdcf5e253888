/** Whether the browser may clear this app's data by itself when the device runs short; undefined where it does not say. */
export const isPersisted = async (): Promise<boolean | undefined> => navigator.storage?.persisted?.();

/** Asks the browser to keep this app's data. Some ask their user, some decide by themselves. */
export const askToPersist = async (): Promise<boolean> => (await navigator.storage?.persist?.()) ?? false;
