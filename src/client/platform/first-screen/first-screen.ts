/** Returns the stored screen that the worker has put into this page, until the app takes over. */
export const firstScreen = (): HTMLElement | null => document.getElementById('first-screen');

/** Attribute of a stored screen that the user is pressing. */
export const PRESSED = 'data-pressed';

/** Attribute of the control that the user tapped last, before the app could answer. */
export const TAPPED = 'data-tapped';
