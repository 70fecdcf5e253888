import { createDeviceSwitch } from './device-switch.ts';

/** Whether a user of this device knows that rows of coins have a menu. */
export const rowMenuKnown = createDeviceSwitch('row-menu-known', false);

/** Remembers it, unless the device refuses. */
export function rememberRowMenu(): void {
  try {
    rowMenuKnown.set(true);
  } catch {
    // Storage is refused: the hint can come again after a reload.
  }
}
