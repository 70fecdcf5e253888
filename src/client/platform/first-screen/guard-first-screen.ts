import { onSessionChange, sessionState } from '../session/session.ts';
import { firstScreen } from './first-screen.ts';

/** Removes the stored first screen: the app in `root` shows in its place. */
export function dropFirstScreen(): void {
  firstScreen()?.remove();
}

/** Removes the stored first screen unless it is of the device's session, and as soon as that session ends. */
export function guardFirstScreen(): void {
  if (!firstScreen()) return;
  const check = () => {
    const session = sessionState();
    const screen = firstScreen();
    if (!screen) stop();
    else if (session.status !== 'signed-in' || session.claims.sid !== screen.dataset.session) dropFirstScreen();
  };
  const stop = onSessionChange(check);
  check();
}
