import type { PGlite } from '@electric-sql/pglite';
import { isUselessPlan } from '../database-errors.ts';
import { createStatementNames } from '../statement-names.ts';

/** First byte of a message to PostgreSQL (its documentation, Message Formats). */
const PARSE = 0x50;
const DESCRIBE = 0x44;
const BIND = 0x42;
const SYNC = 0x53;
const QUERY = 0x51;
/** The byte of a description that asks about a statement, and not about a portal. */
const OF_STATEMENT = 0x53;
/** Bytes before the first field of a message: its kind and its length. */
const HEAD = 5;
/** How long plans are kept, ms: a table may grow, and the embedded database counts its rows once a day. */
const LIFETIME = 60_000;
const FORGET_PLANS = insert(new Uint8Array([QUERY, 0, 0, 0, 0, 0]), HEAD, new TextEncoder().encode('discard plans'));

type Send = PGlite['execProtocolStream'];
type Options = Parameters<Send>[1];
type Messages = Awaited<ReturnType<Send>>;

interface Statement {
  name: Uint8Array;
  /** The answer to its description, once PostgreSQL has its plan. */
  description?: Messages;
}

/**
 * Lets an embedded database keep the plans of statements for a minute. PGlite sends the parts of each query one by one: the text, a
 * request for a description, the values. This gives the text a name, and leaves out the first two once PostgreSQL has them.
 */
export function keepPlans(pglite: PGlite): void {
  const names = createStatementNames();
  const kept = new Map<string, Statement>();
  const send: Send = pglite.execProtocolStream.bind(pglite);
  /** The named statement whose parts PGlite is sending. */
  let current: Statement | undefined;
  let madeAt = performance.now();

  async function prepare(message: Uint8Array, options: Options): Promise<Messages> {
    const text = textOf(message);
    const name = text === undefined ? undefined : names.nameOf(text);
    if (text === undefined || name === undefined) return send(message, options);
    if (performance.now() - madeAt > LIFETIME) await forgetPlans();
    current = kept.get(text) ?? { name: new TextEncoder().encode(name) };
    kept.set(text, current);
    return current.description ? [] : send(insert(message, HEAD, current.name), options);
  }

  async function forgetPlans(): Promise<void> {
    madeAt = performance.now();
    // A transaction that has failed refuses this, too.
    await send(FORGET_PLANS, { syncToFs: false }).catch(() => undefined);
  }

  async function describeKept(statement: Statement, message: Uint8Array, options: Options): Promise<Messages> {
    statement.description ??= await send(insert(message, HEAD + 1, statement.name), options);
    return statement.description;
  }

  async function pass(message: Uint8Array, options: Options): Promise<Messages> {
    if (message[0] === PARSE) return prepare(message, options);
    if (!current || message[0] === SYNC) {
      current = undefined;
      return send(message, options);
    }
    if (message[0] === DESCRIBE && message[HEAD] === OF_STATEMENT) return describeKept(current, message, options);
    if (message[0] === BIND) return send(insert(message, HEAD + 1, current.name), options);
    return send(message, options);
  }

  pglite.execProtocolStream = async (message, options) => {
    try {
      return await pass(message, options);
    } catch (error) {
      if (isUselessPlan(error)) names.end();
      throw error;
    }
  };
}

/** Returns the text of an unnamed statement, unless it names the types of its values. */
function textOf(message: Uint8Array): string | undefined {
  const end = message.length - 3;
  const hasNoTypes = message[end + 1] === 0 && message[end + 2] === 0 && message[end] === 0;
  if (message[HEAD] !== 0 || !hasNoTypes) return undefined;
  return new TextDecoder().decode(message.subarray(HEAD + 1, end));
}

/** Returns a message with `bytes` put in at a place. */
function insert(message: Uint8Array, place: number, bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(message.length + bytes.length);
  longer.set(message.subarray(0, place));
  longer.set(bytes, place);
  longer.set(message.subarray(place), place + bytes.length);
  new DataView(longer.buffer).setUint32(1, longer.length - 1);
  return longer;
}
