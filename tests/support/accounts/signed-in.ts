import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { HEALTH_PATH } from '#contract/paths.ts';
import { at } from '#tools/root.mjs';
import type { Person } from '../browser/main-path.ts';
import type { RunningApp } from '../processes/app.ts';

/**
 * Brings a new user to /home as `signUp` does, without the way there: the account is made over the API, and its session
 * put on the device by the code that does so after a login. For tests of something else than signing up.
 */
export async function signedIn(page: Page, app: RunningApp, { firstName, lastName, email, password }: Person): Promise<void> {
  await post(app, 'register', { first_name: firstName, last_name: lastName, email, country: '', password });
  await post(app, 'verify-otp', { email, recoveryCode: await app.readCode(email) });
  const { data } = tokensAnswer.parse(await post(app, 'login', { email, password }));
  // Of the app's origin, without the app or its worker.
  await page.goto(app.url + HEALTH_PATH);
  await page.evaluate(`${await keeper()};device.keep(${JSON.stringify(data)})`);
  await page.goto(`${app.url}/home`);
}

async function post(app: RunningApp, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${app.url}/api/auth/${path}/`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

let script: Promise<string> | undefined;

/** A script with `device.keep(tokens)`. */
function keeper(): Promise<string> {
  script ??= build({
    stdin: {
      contents: `
        import { closeOnboarding } from './flags';
        import { writeSession } from './session/session-row';
        export async function keep(tokens) {
          closeOnboarding();
          await writeSession(tokens, true);
        }
      `,
      resolveDir: at('src/client/platform'),
    },
    bundle: true,
    write: false,
    globalName: 'device',
    define: { 'import.meta.env': '{}' },
  }).then(({ outputFiles: [file] }) => file?.text ?? '');
  return script;
}
