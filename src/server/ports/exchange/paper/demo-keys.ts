import { DEMO_ACCOUNT } from '#contract/bots/demo-account.ts';
import { ExchangeError, type KeyFacts, type Keys } from '../exchange.ts';

/** The accounts that the paper exchange knows (README). Whoever holds such a key trades with money that does not exist. */
const DEMO_ACCOUNTS: readonly { keys: Keys; accountId: string; referred: boolean }[] = [
  { keys: DEMO_ACCOUNT, accountId: 'paper-demo', referred: true },
  { keys: { key: 'paper-unreferred-key', secret: 'paper-unreferred-secret' }, accountId: 'paper-unreferred', referred: false },
];

/** Bybit's number for a key that it does not know. */
const UNKNOWN_KEY = 10003;

/** Throws `invalid-key` for every other key. */
export function demoKeyFacts({ key, secret }: Keys): KeyFacts {
  const account = DEMO_ACCOUNTS.find(({ keys }) => keys.key === key && keys.secret === secret);
  if (!account) throw new ExchangeError('invalid-key', 'The paper exchange knows no such key.', UNKNOWN_KEY);
  const { accountId, referred } = account;
  return { mayTrade: true, mayWithdraw: false, accountId, referred, expiresAt: null, restricted: false };
}
