import { createValue } from './create-value.ts';
import { createDeviceSwitch } from './device-choices/device-switch.ts';

/** Whether the palette should be open. Its code follows the first screen. */
export const paletteOpen = createValue(false);

export const openPalette = (): void => paletteOpen.set(true);

/** Whether `/` opens the palette. People who speak to their device can turn it off: their words press keys. */
export const slashOpensPalette = createDeviceSwitch('slash-opens-palette', true);
