import type { Duplex } from 'node:stream';
import pg from 'pg';
import { inStatement } from '#server/tracing/spans.ts';
import { isUnanswered, isUselessPlan } from '../database-errors.ts';
import type { StatementNames } from '../statement-names.ts';
import { FirstStatement } from './first-statement.ts';

const BEGIN = /^begin\b/;
/** The result of a statement that need not be sent, or not yet. */
const NO_ROWS = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * A connection that names its statements, sends those of one moment in one message, and `begin` with the statement after it. It
 * ends when a query gets no answer: the next query would wait behind it.
 */
export class Connection extends pg.Client {
  /** Undefined where a connection pooler may run each statement on another connection of PostgreSQL. */
  names: StatementNames | undefined;
  /** The `begin` of a transaction without a statement yet. */
  private begin: string | undefined;
  /** The first statement of a transaction: without it, the next one would run outside. */
  private first: Promise<unknown> | undefined;
  private isGathering = false;

  // biome-ignore lint/suspicious/noExplicitAny: `query` has many signatures, and this hands all of them on.
  override query(...[query, ...rest]: any[]): any {
    this.gather();
    const isPlain = typeof query?.text === 'string' && !query.name && typeof query.submit !== 'function';
    const args = [isPlain && this.names ? { ...query, name: this.names.nameOf(query.text) } : query, ...rest];
    if (!hasPromise(args)) return this.send(args);
    const answer = this.sendInOrder(args);
    answer.catch((error) => {
      if (isUselessPlan(error)) this.names?.end();
      if (isUnanswered(error)) this.end().catch(() => undefined);
    });
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  private send(args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return traced(args, () => (super.query as any)(...args));
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  private sendInOrder(args: any[]): Promise<unknown> {
    const [query, values] = args;
    const text = textOf(query);
    const send = () => this.send(args);
    if (BEGIN.test(text)) {
      this.begin = text;
      return Promise.resolve(NO_ROWS);
    }
    const { begin } = this;
    this.begin = undefined;
    if (begin === undefined) return this.first && text !== 'rollback' ? this.first.then(send) : send();
    if (text === 'commit' || text === 'rollback') return Promise.resolve(NO_ROWS);
    const first = values?.length ? inStatement(text, () => this.sendWith(begin, query, values)) : this.send([begin]).then(send);
    const end = () => {
      this.first = undefined;
    };
    first.then(end, end);
    this.first = first;
    return first;
  }

  private sendWith(begin: string, query: { name?: string | undefined }, values: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const first = new FirstStatement(begin, query, values);
      first.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(first);
    });
  }

  /** Holds back what is sent until the end of the turn. */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}

/** Runs a query in a span if its answer is a promise. The pool calls its connections with callbacks, inside the span of its own query. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const traced = (args: any[], run: () => any): any => (hasPromise(args) ? inStatement(textOf(args[0]), run) : run());

// biome-ignore lint/suspicious/noExplicitAny: as above
const hasPromise = (args: any[]): boolean => typeof args.at(-1) !== 'function' && typeof args[0]?.submit !== 'function';

export const textOf = (query: { text?: string } | string): string => (typeof query === 'string' ? query : (query.text ?? ''));
