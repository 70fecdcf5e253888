import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { Problem } from '#server/http/errors.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { resealVapidKeys } from '#server/settings/vapid-keys.ts';
import { otherExchangeReason } from '../messages/money.ts';
import { fatalReason, UnreadableKey } from '../messages/refusals.ts';
import type { BotRow } from '../store/bots.ts';
import { headerOf, type KeySafe, type KeyVersion, type SealedKeys, UnknownKeyVersion } from './key-safe.ts';
import { resealWebhooks } from './safe-secrets.ts';
import { accountName, switchSealing } from './sealing.ts';

/** Bots in one query. */
const PAGE = 200;

type SealedRow = Pick<BotRow, 'id' | 'userId' | 'exchange' | 'testnet' | 'positionSize' | 'sealedKeys' | 'keyDigest'>;
const SEALED_COLUMNS = {
  id: bots.id,
  userId: bots.userId,
  exchange: bots.exchange,
  testnet: bots.testnet,
  positionSize: bots.positionSize,
  sealedKeys: bots.sealedKeys,
  keyDigest: bots.keyDigest,
};

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  safe: KeySafe;
  /** Generates and stores a new key beside the current one; undefined if the settings have the key. */
  generate: (() => string) | undefined;
}

export interface Rotation {
  /** Fingerprint of the key that seals every bot after the rotation. */
  key: string;
  bots: number;
  resealed: number;
  /** Bots whose API key no held key can open. Their users must replace it. */
  unreadable: number;
  /** Bots whose exchange account is unknown, because the exchange refuses their key. Two bots could share it. */
  account_unknown: number;
}

/**
 * Re-seals the API keys of all bots with the current SECRETS_KEY; generates a new one first if the settings have none. Each bot has
 * its own transaction, so the rotation can be interrupted and run again.
 * @throws Problem that says what the operator must do next.
 */
export async function rotateKey(parts: Parts): Promise<Rotation> {
  const { db, clock, safe, generate } = parts;
  if (!safe.versions()[1]) {
    if (!generate)
      throw new Problem(
        409,
        'no_previous_key',
        'Set SECRETS_KEY to the new key and SECRETS_KEY_PREVIOUS to the old one, restart all processes, and run this again.',
      );
    safe.replace(generate());
  }
  const [current] = safe.versions();
  await db.transaction((tx) => switchSealing(tx, current, new Date(clock())));

  const counts = { resealed: 0, unreadable: 0, account_unknown: 0, waiting: 0 };
  for await (const row of oldRows(db, current)) {
    const outcome = await reseal(parts, current, row);
    if (outcome !== 'changed') counts[outcome] += 1;
    if (outcome === 'account_unknown') counts.resealed += 1;
  }
  await resealWebhooks(db, safe, current);
  await resealVapidKeys(db, safe);
  const left = await db.$count(bots, isOld(current));
  const { waiting, ...summary } = counts;
  if (left > summary.unreadable)
    throw new Problem(
      502,
      'rotation_unfinished',
      `${summary.resealed} bots re-sealed, ${left - summary.unreadable} left (${waiting} wait for the exchange). Keep the old key and run this again.`,
    );
  return { key: current.fingerprint, bots: await db.$count(bots), ...summary };
}

const isOld = (current: KeyVersion) => {
  const header = headerOf(current);
  return sql`substring(${bots.sealedKeys} from 1 for ${header.length}) <> ${header}`;
};

/** Reads the bots that another key has sealed, page by page. */
async function* oldRows(db: Db, current: KeyVersion): AsyncGenerator<SealedRow> {
  for (let last: string | undefined; ; ) {
    const after = last === undefined ? undefined : gt(bots.id, last);
    const rows = await db
      .select(SEALED_COLUMNS)
      .from(bots)
      .where(and(isOld(current), after))
      .orderBy(asc(bots.id))
      .limit(PAGE);
    yield* rows;
    last = rows.at(-1)?.id;
    if (last === undefined) return;
  }
}

type Outcome = 'resealed' | 'account_unknown' | 'unreadable' | 'waiting' | 'changed';

async function reseal(parts: Parts, current: KeyVersion, row: SealedRow): Promise<Outcome> {
  const keys = openRow(parts.safe, row);
  if (!keys) return 'unreadable';
  const account = keys.account ?? (await findAccount(parts, row, keys));
  if (account === 'waiting') return 'waiting';
  const set = {
    sealedKeys: current.seal(row.id, { ...keys, ...(account !== undefined && { account }) }),
    ...(account !== undefined && { keyDigest: current.digest(account) }),
  };
  // If the user has replaced the key meanwhile, the current key has already sealed it.
  const changed = await parts.db
    .update(bots)
    .set(set)
    .where(and(eq(bots.id, row.id), eq(bots.sealedKeys, row.sealedKeys)))
    .returning({ id: bots.id });
  if (changed.length === 0) return 'changed';
  return account === undefined ? 'account_unknown' : 'resealed';
}

function openRow(safe: KeySafe, { id, sealedKeys }: SealedRow): SealedKeys | undefined {
  try {
    return safe.open(id, sealedKeys);
  } catch (error) {
    if (error instanceof UnreadableKey || error instanceof UnknownKeyVersion) return undefined;
    throw error;
  }
}

/** Asks the exchange for a bot's account, which older releases did not store; undefined if it refuses the key for good. */
async function findAccount({ exchange }: Parts, row: SealedRow, keys: SealedKeys): Promise<string | 'waiting' | undefined> {
  if (EXCHANGES[row.exchange].isSimulated) return accountName(row, { key: keys.key, accountId: '' });
  if (otherExchangeReason(row, exchange) !== null) return undefined;
  try {
    const { accountId } = await exchange.account(keys, { userId: row.userId, botId: row.id, capital: row.positionSize }).check();
    return accountName(row, { key: keys.key, accountId });
  } catch (error) {
    return fatalReason(error) === null ? 'waiting' : undefined;
  }
}
