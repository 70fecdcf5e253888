/** Characters of a conversation's title. */
export const MAX_TITLE = 120;
/** Maximum number of conversations of a user. Starting one more, also by a question, answers 409 'too_many_archives'. */
export const MAX_ARCHIVES = 5000;
/** Rows per page of the list. */
export const ARCHIVES_PAGE = 100;
/** Maximum length of a search text. */
export const MAX_SEARCH = 100;
/** Conversations that a user can pin. One more answers 409 'too_many_pins'. */
export const MAX_PINS = 20;
/** Form of a conversation's id. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
