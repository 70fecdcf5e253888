const link = '/settings/profile';

/** Notifications of security events. */
export const SIGNED_IN = {
  kind: 'security',
  text: 'A new device signed in to your account. If this was not you, set a new password.',
  link: '/settings/devices',
  urgent: true,
} as const;

export const PASSWORD_CHANGED = { kind: 'security', text: 'Your password was changed, and other devices were signed out.', link } as const;

export const SESSION_COPIED = {
  kind: 'security',
  text: 'A device was signed out because its old sign-in token was used again. If you do not recognize this, set a new password.',
  link,
} as const;
