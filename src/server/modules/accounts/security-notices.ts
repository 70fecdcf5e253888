const link = '/settings/profile';

/** What the app shows beside the letters: security events, and where to set a new password. */
export const SIGNED_IN = {
  kind: 'security',
  text: 'Somebody signed in to your account on another device. If it was not you, set a new password.',
  link: '/settings/devices',
} as const;

export const PASSWORD_CHANGED = { kind: 'security', text: 'Your password was changed, and other devices were signed out.', link } as const;

export const SESSION_COPIED = {
  kind: 'security',
  text: 'A device was signed out because an outdated key of its session was used again. If you do not know why, set a new password.',
  link,
} as const;
