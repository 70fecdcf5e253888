/** Flags in localStorage: no secrets, and of the device rather than of a user. */
const ONBOARDING_CLOSED = 'onboarding-close';

export const isOnboardingClosed = (): boolean => localStorage.getItem(ONBOARDING_CLOSED) === 'true';
export const closeOnboarding = () => localStorage.setItem(ONBOARDING_CLOSED, 'true');

/** localStorage key: the page that the training insight showed last. */
export const INSIGHT_PAGE = 'training-insight-page';

export const forgetInsightPage = () => localStorage.removeItem(INSIGHT_PAGE);
