import { expect, type Page } from '@playwright/test';
import { openAs, signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson } from '#tests/support/browser/main-path.ts';
import { askHere, conversation, expectAnswered } from '#tests/support/chat/chat-page.ts';
import { later, say, startModelServer } from '#tests/support/chat/openai.ts';
import { startCluster } from '#tests/support/cluster/cluster.ts';
import { test } from '../fixtures.ts';
import { DESKTOP } from '../sizes.ts';
import { testedServices } from '../start-tested-app.ts';

/** How long the model thinks, ms. */
const THOUGHT = 1_500;
/** A claim of a killed process ends after 20 s; another process then asks the model again. */
const ANSWERED_WITHIN = 60_000;

const answersIn = (page: Page) => conversation(page).getByText('Bitcoin goes up and down.');

test('both devices of a user show every answer without a reload while each process is killed in turn', { tag: '@cluster' }, async ({
  page: phone,
  browser,
}) => {
  test.setTimeout(600_000);
  const services = testedServices();
  const model = await startModelServer();
  model.plays = [later(() => THOUGHT, say('Bitcoin goes up and down.'))];
  const cluster = await startCluster(services, { AI_BASE_URL: model.url, AI_MODEL: 'slow' });
  const context = await browser.newContext(DESKTOP);
  try {
    const person = newPerson();
    await signedIn(phone, cluster, person, '/chat');
    const questions = ['Question of a calm day'];
    await askHere(phone, 'Question of a calm day');
    const desktop = await context.newPage();
    await openAs(desktop, cluster, person, new URL(phone.url()).pathname);
    for (const page of [phone, desktop]) await expect(answersIn(page)).toHaveCount(1);
    let loads = 0;
    for (const page of [phone, desktop]) page.on('load', () => (loads += 1));

    for (const [index, victim] of cluster.processes.entries()) {
      const question = `Question while ${victim.name} is killed`;
      questions.push(question);
      await askHere(index % 2 === 0 ? phone : desktop, question);
      await victim.stop('SIGKILL');
      for (const page of [phone, desktop]) await expect(answersIn(page)).toHaveCount(index + 2, { timeout: ANSWERED_WITHIN });
      await victim.start();
    }
    expect(loads).toBe(0);
    for (const page of [phone, desktop]) await expectAnswered(page, questions);
  } finally {
    await context.close();
    await cluster.remove();
    await model.close();
  }
});
