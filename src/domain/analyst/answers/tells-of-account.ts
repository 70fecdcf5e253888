import type { AnswerFigures } from '#contract/chat/answer-figures.ts';

/** Pages that every answer about the user's own bots, plan or allowance links to. */
const OWN_PAGES = ['(/trading-bot', '(/settings/'];

/** Whether an answer may show facts about the user's own bots, plan or allowance. Also true for a general answer that links to their pages. */
export const tellsOfAccount = (answer: string, figures: AnswerFigures | null): boolean =>
  figures?.sources.some(({ tool }) => tool === 'account') === true || OWN_PAGES.some((page) => answer.includes(page));
