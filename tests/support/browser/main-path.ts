import type { Page } from '@playwright/test';
import type { RunningApp } from '../processes/app.ts';

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
}

/** Finishes the onboarding, which leads to /sign-up. `url` defaults to the app under test. */
export async function closeOnboarding(page: Page, url = ''): Promise<void> {
  await page.goto(`${url}/onboarding/three`);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await page.getByRole('heading', { name: 'Create an Account' }).waitFor();
}

/** Fills in /sign-up without accepting the terms. */
export async function fillSignUp(page: Page, { firstName, lastName, email, password }: Person): Promise<void> {
  await page.getByLabel('First Name').fill(firstName);
  await page.getByLabel('Last Name').fill(lastName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
}

/** Signs in on /login, without waiting for the result. */
export async function logIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

/** Signs up through the screens, from the end of the onboarding to /home. */
export async function signUp(page: Page, app: RunningApp, person: Person): Promise<void> {
  await closeOnboarding(page, app.url);
  await fillSignUp(page, person);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL('**/verification-email');
  const code = await app.readCode(person.email);
  const boxes = page.getByRole('textbox');
  for (const [place, digit] of [...code].entries()) await boxes.nth(place).fill(digit);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL('**/home');
}

/** Asks a question in a new chat and waits until the answer is typed out. */
export async function ask(page: Page, app: RunningApp, question: string): Promise<void> {
  await page.goto(`${app.url}/chat`);
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat/archive/*');
}
