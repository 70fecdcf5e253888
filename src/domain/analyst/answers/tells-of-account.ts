/** Pages that every answer about the user's own bots, plan or allowance links to. */
const OWN_PAGES = ['(/trading-bot', '(/settings/'];

/** Whether an answer has figures of the user's own bots or plan, by its `answerFigures`. */
export function tellsOwn(figures: unknown): boolean {
  const sources: unknown = Object(figures).sources;
  return Array.isArray(sources) && sources.some((source) => Object(source).tool === 'account');
}

/** Whether an answer may show facts about the user's own bots, plan or allowance. Also true for a general answer that links to their pages. */
export const tellsOfAccount = (answer: string, figures: unknown): boolean =>
  tellsOwn(figures) || OWN_PAGES.some((page) => answer.includes(page));
