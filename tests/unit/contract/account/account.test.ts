import { describe, expect, it } from 'vitest';
import { email, loginBody, password, recoveryCode, registerBody } from '#contract/account/account.ts';
import { isEmail, PASSWORD_RULES } from '#contract/account/account-rules.ts';

const complaint = (result: { success: boolean; error?: { issues: readonly { message: string }[] } }) => result.error?.issues[0]?.message;
const RULE =
  'Password must have at least 6 characters, include both uppercase and lowercase letters, and contain at least one number or special character.';

describe('validation of account forms', () => {
  it.each([
    ['', 'Email is required'],
    ['ada', 'Entered value email format!'],
    ['ada@example', 'Entered value email format!'],
    ['@example.com', 'Entered value email format!'],
    ['a b@example.com', 'Entered value email format!'],
    ['ada@example.com', undefined],
    ['  ada@example.com ', undefined],
  ])('email %j: %s', (value, message) => expect(complaint(email.safeParse(value))).toBe(message));

  it('validates an address: text, @, text, dot, text, without white space', () => {
    const signs = ['a', '@', '.', ' ', '\n'];
    const texts = (length: number): string[] =>
      length === 0 ? [''] : texts(length - 1).flatMap((text) => signs.map((sign) => text + sign));
    for (const text of [0, 1, 2, 3, 4, 5, 6].flatMap(texts)) expect(isEmail(text), JSON.stringify(text)).toBe(/^\S+@\S+\.\S+$/.test(text));
  });

  it('checks the length of an address first', () => {
    expect(complaint(email.safeParse(`${'@.'.repeat(300)} x`))).toBe('At most 254 characters');
  });

  it.each([
    ['', 'Password is required'],
    ['Abc12', RULE],
    ['abcdef1', RULE],
    ['ABCDEF1', RULE],
    ['Abcdefg', RULE],
    ['Abcde1', undefined],
    ['Abcde!', undefined],
    ['Abcde?', RULE],
  ])('password %j: %s', (value, message) => expect(complaint(password.safeParse(value))).toBe(message));

  it('has the same rules in the checklist and the password pattern', () => {
    for (const candidate of ['', 'Abcde1', 'abcde1', 'ABCDE1', 'Abcdef', 'Ab1', 'aB!aB!', 'Passw0rd with spaces']) {
      expect(PASSWORD_RULES.every((rule) => rule.holds(candidate))).toBe(password.safeParse(candidate).success);
    }
  });

  it('words the checklist as specified', () =>
    expect(PASSWORD_RULES.map((rule) => rule.text)).toEqual([
      'Min. 6 characters',
      '1 uppercase & lowercase letter',
      '1 number or special character',
    ]));

  it('holds login to the same password rule', () =>
    expect(complaint(loginBody.safeParse({ email: 'a@b.c', password: 'short' }))).toBe(RULE));

  it('accepts four digits as a code', () => {
    expect(recoveryCode.safeParse('0420').success).toBe(true);
    expect(complaint(recoveryCode.safeParse('12a4'))).toBe('Only number acceptable!');
    expect(recoveryCode.safeParse('12345').success).toBe(false);
  });

  it('requires both names', () => {
    const filled = { first_name: 'Ada', last_name: 'King', email: 'a@b.c', country: '', password: 'Abcde1' };
    expect(registerBody.safeParse(filled).success).toBe(true);
    expect(complaint(registerBody.safeParse({ ...filled, first_name: '  ' }))).toBe('First name is required');
    expect(complaint(registerBody.safeParse({ ...filled, last_name: '' }))).toBe('Last name is required');
  });
});
