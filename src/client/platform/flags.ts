/** Small marks in localStorage that hold no secret and belong to the device, not to a user (spec §3). */
const ONBOARDING_CLOSED = 'onboarding-close';

export const isOnboardingClosed = (): boolean => localStorage.getItem(ONBOARDING_CLOSED) === 'true';
export const closeOnboarding = () => localStorage.setItem(ONBOARDING_CLOSED, 'true');

/** Which of its pages the training insight showed last (spec §4). */
export const INSIGHT_PAGE = 'training-insight-page';

export const forgetInsightPage = () => localStorage.removeItem(INSIGHT_PAGE);
