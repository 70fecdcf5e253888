import { onUserGone } from '../session/sign-out-in-other-tabs.ts';
import { keepNewest } from './keep-newest.ts';

const MAX_READS = 12;

/** Reads of the device by key: a screen that opens again has its content in the first frame. */
const reads = new Map<string, unknown>();

export const recall = <Read>(key: string): Read | undefined => reads.get(key) as Read | undefined;

export const remember = (key: string, read: unknown): void => keepNewest(reads, key, read, MAX_READS);

const forgets = [() => reads.clear()];

/** Calls `forget` when the tab's user goes, and when data of the device is cleared. */
export const onForget = (forget: () => void): unknown => forgets.push(forget);

/** Forgets what is in memory of the device's data. */
export function forgetReads(): void {
  for (const forget of forgets) forget();
}
onUserGone(forgetReads);
