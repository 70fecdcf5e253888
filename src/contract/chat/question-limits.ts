/** Characters of a question. */
export const MAX_QUESTION = 4000;

/** Why a question is refused. */
export const EMPTY_QUESTION = 'Enter chat description!';
export const overlongQuestion = () => `At most ${MAX_QUESTION.toLocaleString('en-US')} characters`;
