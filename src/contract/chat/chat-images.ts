const IMAGES = '/chat/images/';

/** API paths of a stored picture and of its preview. The device stores pictures under the same paths. */
export const imagePath = (id: string) => `${IMAGES}${id}`;
export const previewPath = (id: string) => `${IMAGES}${id}/preview`;

/** Returns the id of a stored picture from either of its paths. */
export const imageIdOf = (path: string | null): string | null => path?.match(/\/chat\/images\/([0-9a-f-]{36})/i)?.[1] ?? null;
