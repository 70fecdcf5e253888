import { createDeviceSwitch } from './device-switch.ts';

/** Whether a user of this device knows that rows of coins have a menu. */
export const rowMenuKnown = createDeviceSwitch('row-menu-known', false);
