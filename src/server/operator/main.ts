import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { Problem } from '../http/errors.ts';
import { StartupError } from '../startup-error.ts';
import type { Rows } from './commands.ts';
import { show } from './format-rows.ts';
import { type Command, command, fileRow } from './protocol.ts';
import { sendCommand } from './send-command.ts';

const USAGE = `Usage: npm run operator -- COMMAND [--json]
  contacts                               lists messages to support
  deletions                              lists account deletion requests
  users                                  lists users
  metrics                                shows counts, memory and uptime
  bots                                   lists all trading bots
  erase --user ID                        deletes a user and all their data
  rotate-key                             re-encrypts the bots' exchange keys under a new SECRETS_KEY
  forget-secret --name NAME              lets the next start set another JWT_SECRET or SECRETS_KEY
  halt                                   stops all bots from opening positions; stops stay active
  halt --user ID                         stops a user's bots and closes their positions
  resume [--user ID]                     ends a halt
  reply --id ID --text TEXT              replies to a message
  file --id ID --place N --out FILE      saves a picture from a message`;

class WrongUsage extends Error {}

interface Arguments {
  command: Command;
  json: boolean;
  /** The file that `file` writes. */
  out: string | undefined;
}

function readArguments(argv: string[]): Arguments {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, id: text, text, name: text, place: text, out: text, user: text },
    });
    const [name, ...more] = positionals;
    const { json, place, out, ...rest } = values;
    const parsed = z.safeParse(command, { command: name, ...rest, ...(place !== undefined && { place: Number(place) }) });
    const known = command.def.options.some((option) => z.safeParse(option.shape.command, name).success);
    if (!known || more.length > 0) throw new WrongUsage(USAGE);
    if (!parsed.success) throw new WrongUsage(parsed.error.issues[0]?.message ?? USAGE);
    if (name === 'file' && out === undefined) throw new WrongUsage('--out is required.');
    return { command: parsed.data, json, out };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage(USAGE);
  }
}

/** Runs a command in the running server, or in this process when none runs. */
async function run(asked: Command): Promise<Rows> {
  const dataDir = path.resolve(process.env.DATA_DIR?.trim() || '.data');
  if (!existsSync(dataDir)) throw new StartupError(`DATA_DIR: ${dataDir} does not exist.`);
  const outcome = await sendCommand(dataDir, asked);
  if (outcome && 'error' in outcome) throw new StartupError(outcome.error);
  if (outcome) return outcome.rows;
  // Loads the database and the exchanges, which take most of the command's start.
  const { runWithoutServer } = await import('./run-without-server.ts');
  return runWithoutServer(asked, dataDir);
}

/** Saves a picture and never overwrites a file. INIT_CWD is the folder that npm was called in. */
function save(rows: Rows, out: string): Rows {
  const { base64, ...file } = fileRow.parse(rows[0]);
  const target = path.resolve(process.env.INIT_CWD ?? '.', out);
  const bytes = Buffer.from(base64, 'base64');
  try {
    writeFileSync(target, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new StartupError(`Cannot write ${target} (${(error as NodeJS.ErrnoException).code}).`);
  }
  return [{ ...file, size: bytes.length, out: target }];
}

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
async function main(argv: string[]): Promise<number> {
  try {
    const asked = readArguments(argv);
    const rows = await run(asked.command);
    const result = asked.out !== undefined && asked.command.command === 'file' ? save(rows, asked.out) : rows;
    console.log(asked.json ? JSON.stringify(result) : show(JSON.parse(JSON.stringify(result))));
    return 0;
  } catch (error) {
    const expected = error instanceof WrongUsage || error instanceof StartupError || error instanceof Problem;
    console.error(expected || !(error instanceof Error) ? String(expected ? error.message : error) : `Command failed: ${error.message}`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
