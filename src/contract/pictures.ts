/** Pixels of a picture that is sent; the server knows them before it decodes anything. */
export const MAX_PIXELS = 16_000_000;
