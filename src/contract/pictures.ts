const MB = 1024 * 1024;

/** Maximum pixels of an uploaded picture, checked before decoding. */
export const MAX_PIXELS = 16_000_000;

/** Accepted types of a profile picture, by content and not by name, and its maximum bytes. */
export const PROFILE_PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
export const MAX_PROFILE_PICTURE_BYTES = 5 * MB;

/**
 * Types of a chart picture that the browser offers to choose, and its maximum bytes after the browser has encoded it again. HEIC, which not
 * every browser decodes, is not among them, because an iPhone then hands over its photos as JPEG.
 */
export const CHAT_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const MAX_CHAT_IMAGE_BYTES = 8 * MB;

/** Accepted types of pictures in a message to support, and the maximum bytes of each. */
export const CONTACT_FILE_TYPES = ['image/png', 'image/jpeg'] as const;
export const MAX_CONTACT_FILE_BYTES = 8 * MB;
