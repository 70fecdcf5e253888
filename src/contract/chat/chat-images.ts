const IMAGES = '/chat/images/';

/** Where the API serves a stored picture: as it is, and small. The device keeps pictures under the same names. */
export const imagePath = (id: string) => `${IMAGES}${id}`;
export const previewPath = (id: string) => `${IMAGES}${id}/preview`;

/** The id of a stored picture, from either of its paths. */
export const imageIdOf = (path: string | null): string | null => path?.match(/\/chat\/images\/([0-9a-f-]{36})/i)?.[1] ?? null;
