import { loginRefusal } from '#contract/errors.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { call, PASSWORD, register } from './api.ts';
import type { Tally } from './tally.ts';

const FIRST_ADDRESS = 1_000;

/** Registers accounts one by one until the server is killed, and records each acknowledged one. */
export async function registerAccounts(app: RunningApp, registered: string[], tally: Tally, life: AbortSignal): Promise<void> {
  while (!life.aborted) {
    const email = `account-${registered.length}-${process.hrtime.bigint()}@example.com`;
    const answer = await register(app, FIRST_ADDRESS + registered.length, email, life).catch(() => undefined);
    if (answer?.status === 201) {
      registered.push(email);
      tally.add();
    } else if (answer) throw new Error(`Registering answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    else return;
  }
}

/** Counts the accounts that exist: login answers differently to an unverified account's right password and to a wrong one. */
export async function stillRegistered(app: RunningApp, emails: readonly string[]): Promise<number> {
  let found = 0;
  for (const [index, email] of emails.entries()) {
    const { body } = await call(app, FIRST_ADDRESS + index, '/auth/login/', { body: { email, password: PASSWORD } });
    const { detail } = body as { detail?: unknown };
    if (loginRefusal.parse(detail).isVerified === 2) found += 1;
  }
  return found;
}
