/** Shows a number on the installed app's icon, if the platform supports it; 0 removes it. */
export function showAppBadge(count: number): void {
  // Fails if the app is not installed; the bell shows the same number.
  if (count > 0) void navigator.setAppBadge?.(count).catch(() => undefined);
  else void navigator.clearAppBadge?.().catch(() => undefined);
}
