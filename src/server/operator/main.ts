import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { dataDirOf } from '../files/data-dir-of.ts';
import { Problem } from '../http/errors.ts';
import { StartupError } from '../startup-error.ts';
import type { Rows } from './commands.ts';
import { type DataCommand, dataCommand, isDataCommand, runDataCommand } from './data-commands.ts';
import { show } from './format-rows.ts';
import { COPY_DATA, type Command, command, fileRow, hasFaults } from './protocol.ts';
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
  file --id ID --place N --out FILE      saves a picture from a message
  verify                                 checks references, bookkeeping and pictures
  verify --to postgres://…               compares all tables after a move
  backup --to FILE                       saves database, pictures and secrets to a new file
  restore --from FILE                    fills an empty DATA_DIR from a backup
  move --to postgres://…                 copies the embedded database to an empty PostgreSQL database
  move-pictures --to s3|files            copies pictures to the bucket, or back to DATA_DIR`;

class WrongUsage extends Error {}

interface Arguments {
  command: Command | DataCommand;
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
      options: {
        json: { type: 'boolean', default: false },
        id: text,
        text,
        name: text,
        place: text,
        out: text,
        user: text,
        to: text,
        from: text,
      },
    });
    const [name, ...more] = positionals;
    const { json, place, ...rest } = values;
    // With an address, `verify` compares two databases.
    const schemas = rest.to === undefined ? [command, dataCommand] : [dataCommand, command];
    const schema = schemas.find(({ def }) => def.options.some((option) => z.safeParse(option.shape.command, name).success));
    if (!schema || name === COPY_DATA || more.length > 0) throw new WrongUsage(USAGE);
    const { out, ...others } = rest;
    const asked = { command: name, ...(name === 'file' ? others : rest), ...(place !== undefined && { place: Number(place) }) };
    const parsed = z.safeParse<typeof schema>(schema, asked);
    if (!parsed.success) throw new WrongUsage(reasonOf(parsed.error.issues[0], name));
    if (name === 'file' && out === undefined) throw new WrongUsage('--out is required.');
    return { command: parsed.data, json, out };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage(USAGE);
  }
}

/** An ignored option would change what a command means: `halt --id ID` would halt all bots. */
const reasonOf = (issue: z.core.$ZodIssue | undefined, name = ''): string =>
  issue?.code === 'unrecognized_keys' ? `${name} takes no --${issue.keys[0]}.` : (issue?.message ?? USAGE);

/** Runs a command in the running server, or in this process when none runs or when it is about the data directory itself. */
async function run(asked: Command | DataCommand): Promise<Rows> {
  const dataDir = dataDirOf(process.env);
  if (isDataCommand(asked)) return runDataCommand(asked, dataDir);
  if (!existsSync(dataDir)) throw new StartupError(`DATA_DIR: ${dataDir} does not exist.`);
  // Reads all tables: on PostgreSQL this process can do that beside the servers, without their time limits.
  const isLong = asked.command === 'verify' && process.env.DATABASE_URL?.trim();
  const outcome = isLong ? null : await sendCommand(dataDir, asked);
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
    return hasFaults(rows) ? 1 : 0;
  } catch (error) {
    const expected = error instanceof WrongUsage || error instanceof StartupError || error instanceof Problem;
    console.error(expected || !(error instanceof Error) ? String(expected ? error.message : error) : `Command failed: ${error.message}`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

// The address of a database may hold a password, which a list of processes would show.
process.title = 'tidemark-operator';
process.exitCode = await main(process.argv.slice(2));
