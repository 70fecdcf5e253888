import { tokensAnswer } from '#contract/account/tokens.ts';
import { botAnswer } from '#contract/bots/bot.ts';
import { testPurchaseAnswer } from '#contract/subscription.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { type Client, createClient } from './client.ts';

const PASSWORD = 'Attack-test-1';

export interface Person {
  email: string;
  userId: string;
  accessToken: string;
  refreshToken: string;
  sessionId: string;
  /** Expiry of the access token, ms since 1970. */
  expiresAt: number;
}

/** Signs in from this machine. Throws when the server refuses. */
export async function signIn(client: Client, email: string, password = PASSWORD): Promise<Person> {
  const answer = await client.call('/api/auth/login/', { body: { email, password } });
  if (answer.status !== 200) throw new Error(`Login of ${email} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  const { accessToken, refreshToken } = tokensAnswer.parse(answer.json).data;
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
  return { email, userId: claims.sub, sessionId: claims.sid, expiresAt: claims.exp * 1000, accessToken, refreshToken };
}

/** Creates a verified, signed-in account. */
export async function signUp(app: RunningApp, email: string): Promise<Person> {
  const client = createClient(app.url);
  const body = { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD };
  await expectOk(client.call('/api/auth/register/', { body }));
  await expectOk(client.call('/api/auth/verify-otp/', { body: { email, recoveryCode: await app.readCode(email) } }));
  return signIn(client, email);
}

/** Buys the Premium plan at the test store. */
export async function goPremium(client: Client, { userId, accessToken: token }: Pick<Person, 'userId' | 'accessToken'>): Promise<void> {
  const profile = await expectOk(client.call(`/api/auth/user/${userId}/`, { token }));
  const { appUserId } = (profile.json as { data: { userSubscription: { appUserId: string } } }).data.userSubscription;
  const bought = await expectOk(
    client.call('/api/test-store/purchases', { token, body: { productId: 'premium_monthly', outcome: 'paid' } }),
  );
  const { receipt } = testPurchaseAnswer.parse(bought.json).data;
  await expectOk(client.call('/api/buy-subscription', { token, body: { userId, appUserId, planType: 'PREMIUM', receipt } }));
}

/** Creates a paper bot and returns its id. */
export async function createBot(client: Client, { accessToken: token }: Person, name: string): Promise<string> {
  const keys = { api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' };
  const body = { bot_name: name, position_size: '1000', leverage: 15, ...keys };
  const made = await expectOk(client.call('/api/v1/trading-bots', { token, body }));
  return botAnswer.parse(made.json).data.bot_id;
}

async function expectOk(reply: ReturnType<Client['call']>) {
  const answer = await reply;
  if (answer.status < 200 || answer.status > 299) throw new Error(`Answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}
