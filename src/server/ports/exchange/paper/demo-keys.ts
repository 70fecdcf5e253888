import { DEMO_ACCOUNT } from '#contract/bots/demo-account.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { ExchangeError, type KeyFacts, type Keys } from '../exchange.ts';

/** The public demo accounts of the paper exchange (README). They hold no real money. */
const DEMO_ACCOUNTS: readonly { keys: Keys; accountId: string; referred: boolean }[] = [
  { keys: DEMO_ACCOUNT, accountId: 'paper-demo', referred: true },
  { keys: { key: 'paper-unreferred-key', secret: 'paper-unreferred-secret' }, accountId: 'paper-unreferred', referred: false },
];

/** Bybit's code for an unknown key. */
const UNKNOWN_KEY = 10003;

/** Returns the facts of a demo key. Throws `invalid-key` for any other key. */
export function demoKeyFacts({ key, secret }: Keys): KeyFacts {
  const account = DEMO_ACCOUNTS.find(({ keys }) => keys.key === key && keys.secret === secret);
  if (!account) throw new ExchangeError('invalid-key', 'The paper exchange does not know this key.', UNKNOWN_KEY);
  const { accountId, referred } = account;
  return { mayTrade: true, mayWithdraw: false, accountId, referred, expiresAt: null, restricted: false, takerFee: PERPETUAL.takerFee };
}
