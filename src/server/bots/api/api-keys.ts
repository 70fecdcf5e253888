import { BOT_MESSAGES } from '#contract/bots/bot.ts';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import type { Tx } from '#server/db/open.ts';
import { badRequest } from '#server/http/errors.ts';
import type { KeyFacts, Keys, Owner } from '#server/ports/exchange/exchange.ts';
import { hintOf } from '../keys/key-safe.ts';
import { accountName, sealingVersion } from '../keys/sealing.ts';
import { exchangeProblem, keyRefusal } from '../messages/refusals.ts';
import { type BotRow, isAccountInUse } from '../store/bots.ts';
import type { ServiceParts } from './service-parts.ts';

/** An API key and what the exchange says about it. */
export interface CheckedKeys {
  keys: Keys;
  facts: KeyFacts;
}

/** Returns the key in a request. */
export const keysIn = ({
  api_key,
  secret_key,
  passphrase,
}: {
  api_key: string;
  secret_key: string;
  passphrase?: string | undefined;
}): Keys => ({
  key: api_key,
  secret: secret_key,
  ...(passphrase && { passphrase }),
});

/**
 * Asks the exchange about a key that a bot is to trade with.
 * @param failure the call's default text for errors that the user cannot fix.
 * @throws Problem that the user can fix.
 */
export async function checkKeys({ exchange }: ServiceParts, keys: Keys, owner: Owner, failure: string): Promise<KeyFacts> {
  if (EXCHANGES[exchange.kind].hasPassphrase && !keys.passphrase) throw badRequest('passphrase', BOT_MESSAGES.passphrase);
  const facts = await exchange
    .account(keys, owner)
    .check()
    .catch((error: unknown) => {
      throw exchangeProblem(error, failure);
    });
  const refusal = keyRefusal(facts);
  if (refusal) throw refusal;
  return facts;
}

/** Names what only one bot may trade on: positions in one account net, so not even bots of two users may share it. */
const accountOf = ({ exchange, testnet }: ServiceParts, { keys, facts }: CheckedKeys): string =>
  accountName({ exchange: exchange.kind, testnet }, { key: keys.key, accountId: facts.accountId });

/** Returns an account's digest under each held SECRETS_KEY. */
const digestsOf = (parts: ServiceParts, checked: CheckedKeys): string[] =>
  parts.safe.versions().flatMap((version) => version?.digest(accountOf(parts, checked)) ?? []);

/** Throws if another bot trades on this account. Each bot has its own account at a simulated exchange. */
export async function demandFreeAccount(parts: ServiceParts, tx: Tx, checked: CheckedKeys): Promise<void> {
  if (EXCHANGES[parts.exchange.kind].isSimulated || !(await isAccountInUse(tx, digestsOf(parts, checked)))) return;
  throw badRequest(
    'key_in_use',
    'Another bot here already trades on this exchange account. Create a subaccount for this bot, with its own key.',
  );
}

/** Throws unless a key is of the bot's own exchange account, which holds the bot's position. */
export function demandSameAccount(parts: ServiceParts, row: BotRow, checked: CheckedKeys): void {
  if (EXCHANGES[parts.exchange.kind].isSimulated || digestsOf(parts, checked).includes(row.keyDigest)) return;
  throw badRequest('other_account', 'This API key is of another exchange account. Use a key of the account that the bot trades on.');
}

/** Returns the columns that store a bot's key. */
export async function keyColumns(parts: ServiceParts, tx: Tx, botId: string, checked: CheckedKeys) {
  const { keys, facts } = checked;
  const account = accountOf(parts, checked);
  const version = await sealingVersion(tx, parts.safe);
  return {
    sealedKeys: version.seal(botId, { ...keys, account }),
    keyHint: hintOf(keys.key),
    keyDigest: version.digest(account),
    keyCheckedAt: new Date(parts.clock()),
    keyExpiresAt: facts.expiresAt === null ? null : new Date(facts.expiresAt),
    keyWarnedDays: null,
  };
}
