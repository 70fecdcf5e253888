import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { HEALTH_PATH } from '#contract/paths.ts';
import { at } from '#tools/root.mjs';
import type { Person } from '../browser/main-path.ts';
import type { RunningApp } from '../processes/app.ts';

/**
 * Signs a new user up and opens `path` with the session, without the sign-up screens: the API creates the account, and
 * the app's own code stores the session. For tests of something other than signing up.
 */
export async function signedIn(page: Page, app: RunningApp, person: Person, path = '/home'): Promise<void> {
  await register(app, person);
  await openAs(page, app, person, path);
}

/** Creates a verified account over the API. */
export async function register(app: RunningApp, { firstName, lastName, email, password }: Person): Promise<void> {
  await post(app, 'register', { first_name: firstName, last_name: lastName, email, country: '', password });
  await post(app, 'verify-otp', { email, recoveryCode: await app.readCode(email) });
}

/** Logs a registered user in over the API and opens `path` with that session. */
export async function openAs(page: Page, app: RunningApp, { email, password }: Person, path = '/home'): Promise<void> {
  const { data } = tokensAnswer.parse(await post(app, 'login', { email, password }));
  // This address has the app's origin but loads neither the app nor its worker.
  await page.goto(app.url + HEALTH_PATH);
  await page.evaluate(`${await sessionScript()};device.keep(${JSON.stringify(data)})`);
  await page.goto(app.url + path);
}

async function post(app: RunningApp, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(`${app.url}/api/auth/${path}/`, request);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

let script: Promise<string> | undefined;

/** Returns a script that defines `device.keep(tokens)`. */
function sessionScript(): Promise<string> {
  script ??= build({
    stdin: {
      contents: `
        import { closeOnboarding } from '#client/platform/flags.ts';
        import { signIn } from '#client/platform/session/session.ts';
        export async function keep(tokens) {
          closeOnboarding();
          await signIn(tokens, true);
        }
      `,
      resolveDir: at('src/client/platform'),
    },
    bundle: true,
    minify: true,
    write: false,
    globalName: 'device',
    define: { 'import.meta.env': '{}' },
  }).then(({ outputFiles: [file] }) => file?.text ?? '');
  return script;
}
