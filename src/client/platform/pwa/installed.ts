/** Safari alone knows this, and says whether the page was opened from the home screen. */
const homeScreen = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone;

/** Whether this page runs as an installed app. */
export const isInstalled = (): boolean => homeScreen() === true || matchMedia('(display-mode: standalone)').matches;

/** Whether the app is put on the home screen by hand here, from the browser's Share menu: on iPhone and iPad, and no Mac. */
export const isInstalledByHand = (): boolean => homeScreen() !== undefined && navigator.maxTouchPoints > 0;
