import { createHash } from 'node:crypto';

/** Each connection keeps the plans of the named statements that it has run, 30 kB or so for each. */
const MOST_NAMES = 400;
/** A statement that PostgreSQL plans, with values: several in one text can have neither values nor a name. */
const HAS_PLAN = /^\s*(?:select|insert|update|delete|with)\b.*\$1\b/is;
/** A list of values in parentheses, or several rows: the text differs with their number. */
const OF_ANY_LENGTH = /\bin \(\$\d+,|(?:\$\d+|default)\), ?\(/i;

/** Names of statements, under which PostgreSQL keeps the plan that it has made for them. */
export interface StatementNames {
  /** Returns the name of a statement, or undefined for one without. */
  nameOf(text: string): string | undefined;
  /** Takes the names from all statements, for good: PostgreSQL has refused to use a plan, and may refuse others. */
  end(): void;
}

/** Creates the names of the statements of one pool, or of the embedded database. */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let hasEnded = false;
  return {
    nameOf(text) {
      if (hasEnded) return undefined;
      if (names.has(text) || names.size >= MOST_NAMES || !HAS_PLAN.test(text) || OF_ANY_LENGTH.test(text)) return names.get(text);
      // One name for one text, in each process and version: a pooler that hides itself must not run another statement.
      const name = createHash('sha256').update(text).digest('base64url');
      names.set(text, name);
      return name;
    },

    end() {
      hasEnded = true;
    },
  };
}
