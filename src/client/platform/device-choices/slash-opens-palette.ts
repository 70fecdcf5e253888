import { createDeviceSwitch } from './device-switch.ts';

/** Whether `/` opens the palette. People who speak to their device can turn it off: their words press keys. */
export const slashOpensPalette = createDeviceSwitch('slash-opens-palette', true);
