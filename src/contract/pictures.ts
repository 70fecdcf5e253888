/** Maximum pixels of an uploaded picture, checked before decoding. */
export const MAX_PIXELS = 16_000_000;
