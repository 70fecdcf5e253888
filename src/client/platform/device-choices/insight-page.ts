/** localStorage key: the page that the training insight showed last. */
export const INSIGHT_PAGE = 'training-insight-page';

export const forgetInsightPage = () => localStorage.removeItem(INSIGHT_PAGE);
