import { expect } from '@playwright/test';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { ask, newPerson } from '#tests/support/browser/main-path.ts';
import { test } from '../fixtures.ts';

test('on a network that blocks WebSockets, a question is sent and answered', async ({ page, app }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      WebSocket: class {
        onclose?: (event: object) => void;
        onerror?: (event: object) => void;
        constructor() {
          setTimeout(() => {
            this.onerror?.({});
            this.onclose?.({});
          });
        }
        close() {}
      },
    });
  });
  await signedIn(page, app, newPerson());
  await ask(page, app, 'What is staking?');
  await expect(page.getByRole('button', { name: 'Edit message' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
  await expect(page.getByText('Sending')).toHaveCount(0);
});
