import { createValue } from './create-value.ts';

/** Whether the palette should be open. Its code follows the first screen. */
export const paletteOpen = createValue(false);

export const openPalette = (): void => paletteOpen.set(true);
