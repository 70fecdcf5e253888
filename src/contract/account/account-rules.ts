/** E-mail and password rules with their messages, shared by the schemas and the live checklist. */

/** Tests for an e-mail address: text, @, text, dot, text, without white space. Takes linear time, unlike a pattern. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@', 1);
  const dot = text.indexOf('.', at + 2);
  return at > 0 && dot > 0 && dot < text.length - 1 && !/\s/.test(text);
}

const MIN_PASSWORD = 6;

/** Lines of the live checklist, in the order shown. */
export const PASSWORD_RULES = [
  { text: `Min. ${MIN_PASSWORD} characters`, holds: (password: string) => password.length >= MIN_PASSWORD },
  { text: '1 uppercase & lowercase letter', holds: (password: string) => /[a-z]/.test(password) && /[A-Z]/.test(password) },
  { text: '1 number or special character', holds: (password: string) => /[0-9!@#$%^&*]/.test(password) },
] as const;

/** All three rules of the checklist. */
export const PASSWORD_PATTERN = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9!@#$%^&*])[\s\S]{6,}$/;

export const MESSAGES = {
  firstNameRequired: 'First name is required',
  lastNameRequired: 'Last name is required',
  emailRequired: 'Email is required',
  emailFormat: 'Entered value email format!',
  passwordRequired: 'Password is required',
  passwordRule:
    'Password must have at least 6 characters, include both uppercase and lowercase letters, and contain at least one number or special character.',
  passwordMatch: 'Password must match',
  termsRequired: 'Terms condition is required',
  codeDigits: 'Only number acceptable!',
} as const;
