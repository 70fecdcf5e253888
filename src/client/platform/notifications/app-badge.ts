/** Puts a number on the icon of the installed app, where there is such a thing; 0 takes it away. */
export function showAppBadge(count: number): void {
  // Refused where the app is not installed, which is no matter: the bell tells the same.
  if (count > 0) void navigator.setAppBadge?.(count).catch(() => undefined);
  else void navigator.clearAppBadge?.().catch(() => undefined);
}
