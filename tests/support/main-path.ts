import type { Page } from '@playwright/test';
import type { RunningApp } from './app';

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
}

/** Goes the way of a new user, from the last onboarding screen to /home. */
export async function signUp(page: Page, app: RunningApp, person: Person): Promise<void> {
  await page.goto(`${app.url}/onboarding/three`);
  await page.getByText('Get Started').click();
  await page.waitForURL('**/sign-up');
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm Password').fill(person.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL('**/verification-email');
  const code = await app.readCode(person.email);
  const boxes = page.getByRole('textbox');
  for (const [place, digit] of [...code].entries()) await boxes.nth(place).fill(digit);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL('**/home');
}

/** Asks a question in a new chat and waits until the answer has been written out. */
export async function ask(page: Page, app: RunningApp, question: string): Promise<void> {
  await page.goto(`${app.url}/chat`);
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat/archive/*');
}
