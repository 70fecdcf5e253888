/** Flags in localStorage: no secrets, and of the device rather than of a user. */
const ONBOARDING_CLOSED = 'onboarding-close';

export const isOnboardingClosed = (): boolean => localStorage.getItem(ONBOARDING_CLOSED) === 'true';
export const closeOnboarding = () => localStorage.setItem(ONBOARDING_CLOSED, 'true');

/** localStorage key: the display currency, if it is not USD. */
export const DISPLAY_CURRENCY = 'display-currency';
export const chosenMoney = (): string | null => localStorage.getItem(DISPLAY_CURRENCY);
