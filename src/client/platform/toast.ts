import { createValue } from './create-value.ts';

export interface Toast {
  id: number;
  message: string;
}

const MAX_TOASTS = 3;

/** The toasts on the screen, oldest first. */
export const toasts = createValue<readonly Toast[]>([]);

let lastId = 0;

/** Shows a message for four seconds. Users may miss it: do not use it for what they must read. */
export function toast(message: string): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, message }].slice(-MAX_TOASTS));
}

export const removeToast = (id: number): void => toasts.set(toasts.get().filter((each) => each.id !== id));
