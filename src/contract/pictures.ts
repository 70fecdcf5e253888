const MB = 1024 * 1024;

/** Maximum pixels of an uploaded picture, checked before decoding. */
export const MAX_PIXELS = 16_000_000;

/** Accepted types of a profile picture, by content and not by name, and its maximum bytes. */
export const PROFILE_PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
export const MAX_PROFILE_PICTURE_BYTES = 5 * MB;

/** Accepted types of a chart picture, and its maximum bytes after the browser has scaled it down. */
export const CHAT_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const;
export const MAX_CHAT_IMAGE_BYTES = 8 * MB;

/** Accepted types of pictures in a message to support, and the maximum bytes of each. */
export const CONTACT_FILE_TYPES = ['image/png', 'image/jpeg'] as const;
export const MAX_CONTACT_FILE_BYTES = 8 * MB;
