import type { CreateBotBody } from '#contract/bots/bot.ts';
import { budgets } from '#server/db/schema/requests.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

const DEMO_KEYS = { api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' };

export const botBody = (changes: Partial<CreateBotBody> = {}) => ({
  bot_name: 'Tide',
  ...DEMO_KEYS,
  position_size: '1000',
  leverage: 15,
  ...changes,
});

export interface BotAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  body: any;
}

/** Calls the bot service of a test server as one user. */
export function botCaller(server: TestServer, { authorization }: SignedUp) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<BotAnswer> => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

/** Resets the per-minute limit on key checks, because tests make more of them than users do. */
export const forgetKeyChecks = async ({ db }: TestServer): Promise<void> => void (await db.delete(budgets));
