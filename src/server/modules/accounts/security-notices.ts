const link = '/settings/profile';
/** The page with the user's signed-in devices and passkeys. */
export const DEVICES_PATH = '/settings/devices';

/** Notifications of security events. */
export const SIGNED_IN = {
  kind: 'security',
  text: 'A new device signed in to your account. If this was not you, set a new password.',
  link: DEVICES_PATH,
  urgent: true,
} as const;

export const PASSWORD_CHANGED = { kind: 'security', text: 'Your password was changed, and other devices were signed out.', link } as const;

/** For users with passkeys, which a new password does not end. */
export const PASSWORD_CHANGED_WITH_PASSKEYS = {
  kind: 'security',
  text: 'Your password was changed, and other devices were signed out. Your passkeys still work: check that you know them all.',
  link: DEVICES_PATH,
} as const;

export const SESSION_COPIED = {
  kind: 'security',
  text: 'A device was signed out because its old sign-in token was used again. If you do not recognize this, set a new password.',
  link,
} as const;

export const PASSKEY_ADDED = {
  kind: 'security',
  text: 'A passkey was added to your account. If this was not you, remove it and set a new password.',
  link: DEVICES_PATH,
} as const;

export const PASSKEY_REMOVED = {
  kind: 'security',
  text: 'A passkey was removed from your account. If this was not you, set a new password.',
  link: DEVICES_PATH,
} as const;

export const PASSKEY_COPIED = {
  kind: 'security',
  text: 'A passkey was refused because it may have been copied. Remove it and add a new one.',
  link: DEVICES_PATH,
} as const;
