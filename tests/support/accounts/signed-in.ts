import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { HEALTH_PATH } from '#contract/paths.ts';
import { at } from '#tools/root.mjs';
import type { Person } from '../browser/main-path.ts';
import type { RunningApp } from '../processes/app.ts';

/**
 * Opens /home as a new user, without the sign-up screens: creates the account over the API and stores its session on the
 * device with the client's own code. For tests that are not about signing up.
 */
export async function signedIn(page: Page, app: RunningApp, { firstName, lastName, email, password }: Person): Promise<void> {
  await post(app, 'register', { first_name: firstName, last_name: lastName, email, country: '', password });
  await post(app, 'verify-otp', { email, recoveryCode: await app.readCode(email) });
  const { data } = tokensAnswer.parse(await post(app, 'login', { email, password }));
  // A page of the app's origin that loads neither the app nor its worker.
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

/** Builds a script that defines `device.keep(tokens)`. */
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
