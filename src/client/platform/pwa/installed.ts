/** Safari only: whether the page was opened from the home screen. */
const homeScreen = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone;

/** Returns whether this page runs as an installed app. */
export const isInstalled = (): boolean => homeScreen() === true || matchMedia('(display-mode: standalone)').matches;

/** Returns whether users install the app by hand, from the Share menu: on iPhone and iPad, not on a Mac. */
export const isInstalledByHand = (): boolean => homeScreen() !== undefined && navigator.maxTouchPoints > 0;
