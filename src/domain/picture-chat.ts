const SEARCH = '?attach=picture';

/** The address of a new chat that opens with the choice of a picture. */
export const PICTURE_CHAT = `/chat${SEARCH}`;

export const asksForPicture = (search: string): boolean => search === SEARCH;
