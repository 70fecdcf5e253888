import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { RunningApp } from '../processes/app.ts';

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
}

/** Returns a person whose address no other test has. */
export const newPerson = (firstName = 'Ada'): Person => ({
  firstName,
  lastName: 'King',
  email: `${firstName.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`,
  password: 'Abcde1',
});

/** Closes the onboarding on a new device and arrives at /sign-up. `url` is the app's, when it is not the test's baseURL. */
export async function closeOnboarding(page: Page, url = ''): Promise<void> {
  await page.goto(`${url}/onboarding/three`);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await page.getByRole('heading', { name: 'Create an Account' }).waitFor();
}

/** Fills the fields of /sign-up and leaves the terms unchecked. */
export async function fillSignUp(page: Page, { firstName, lastName, email, password }: Person): Promise<void> {
  await page.getByLabel('First Name').fill(firstName);
  await page.getByLabel('Last Name').fill(lastName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
}

/** Fills and submits the form of /login. Does not wait for the answer. */
export async function logIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

/** Signs up like a new user does, from the last onboarding screen to /home. */
export async function signUp(page: Page, app: RunningApp, person: Person): Promise<void> {
  await closeOnboarding(page, app.url);
  await fillSignUp(page, person);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL('**/verification-email');
  const code = await app.readCode(person.email);
  // Not any text box: the code may come before the screen.
  for (const [place, digit] of [...code].entries()) await page.getByLabel(`Digit ${place + 1} of 4`).fill(digit);
  await page.waitForURL('**/home');
}

/** Logs out on /settings/account and waits for /login. `url` as in `closeOnboarding`. */
export async function logOut(page: Page, url = ''): Promise<void> {
  await page.goto(`${url}/settings/account`);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
}

/** Asks a question in a new chat. Waits for the conversation, not for the answer. */
export async function ask(page: Page, app: RunningApp, question: string): Promise<void> {
  await page.goto(`${app.url}/chat`);
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat/archive/*');
}
