import 'fake-indexeddb/auto';
import { and, asc, eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { createRandom } from '#domain/random.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { contentOf } from '../support/server/blobs.ts';
import type { SignedUp, TestServer } from '../support/server/server.ts';
import { startNetwork } from './device-network.ts';
import { openProgram, type Program } from './device-program.ts';

/** The outcome of the messages that were written during a schedule. */
export interface ScheduleReport {
  written: number;
  /** On the server once and complete, and shown as sent. */
  delivered: number;
  /** Shown as failed, with Retry and Discard. */
  failed: number;
  /** Discarded by the user, who was warned at sign-out. */
  givenUp: number;
  /** On the server more than once. */
  doubled: number;
  /** Any other outcome: lost, incomplete, still queued after every fault has ended, or shown in a wrong state. */
  lost: number;
}

const STEPS = 28;
const HOUR = 3_600_000;
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

interface Written {
  id: string;
  text: string;
  files: number;
}

/**
 * One device with two tabs and a worker, a real server, and faults drawn from `seed`: lost connections, requests and
 * answers, 500 and 422, expired tokens, ended sessions, programs killed during a request, and sign-outs with unsent
 * messages. Then every fault ends, and the outcome of each message is counted.
 */
export async function runSchedule(server: TestServer, seed: number, passTime: (ms: number) => void): Promise<ScheduleReport> {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const network = startNetwork(server.url, seed);
  const user = await server.signUp({ email: `schedule-${seed}@example.com` });
  const device = new Map<Program['kind'], Program>();
  const written: Written[] = [];
  const givenUp = new Set<string>();
  /** Sent before a sign-out, so the device has no record of them. */
  const forgotten = new Set<string>();

  const start = async (kind: Program['kind']) => {
    device.set(kind, await openProgram(kind));
  };
  for (const kind of ['tab', 'other tab', 'worker'] as const) await start(kind);
  await logIn(device, user.tokens);

  const programs = () => [...device.values()];
  const tabs = () => programs().filter(({ kind }) => kind !== 'worker');

  const steps: Record<string, () => Promise<unknown>> = {
    async write() {
      const text = `message ${written.length} of ${seed}`;
      const files = Math.floor(random() * 4);
      const id = await pick(tabs()).write(
        user.user,
        text,
        Array.from({ length: files }, () => PICTURE),
      );
      if (id !== undefined) written.push({ id, text, files });
    },
    send: async () => void pick(programs()).send(),
    'send everywhere': async () => programs().forEach((program) => void program.send()),
    'lose the connection': async () => network.setUp(false),
    'get it back': async () => network.setUp(true),
    'meet a fault': async () => network.meet(pick(['request lost', 'answer lost', '500', '422', 'hangs before', 'hangs after'] as const)),
    wait: () => network.pause(Math.floor(random() * 30)),
    async kill() {
      const { kind, kill } = pick(programs());
      kill();
      await start(kind);
    },
    'expire the token': async () => passTime(HOUR),
    'end the session': async () => {
      const [tab] = tabs();
      if (network.isUp() && tab) await endOnServer(server, tab);
    },
    'log in': () => logInAgain(server, device, user),
    'try again': () => pick(tabs()).retryAll(),
  };
  // Writing and sending are most frequent. Signing out is rare and never happens twice.
  const usual = ['write', 'write', 'send', 'send', 'send everywhere', 'wait', 'wait', ...Object.keys(steps)];
  const signOutAt = random() < 0.15 ? Math.floor(random() * STEPS) : -1;

  for (let step = 0; step < STEPS; step++) {
    if (step === signOutAt && network.isUp()) {
      const unsent = await pick(tabs()).signOut();
      for (const { id } of unsent ? written : []) (unsent?.includes(id) ? givenUp : forgotten).add(id);
      await logInAgain(server, device, user);
    } else await steps[pick(usual)]?.();
  }

  for (const { kind, kill } of programs()) {
    kill();
    network.calm();
    await start(kind);
  }
  await logInAgain(server, device, user);
  const [last] = tabs();
  if (!last) throw new Error('no tab is open');
  for (let tries = 0; tries < 20 && (await last.waiting()) > 0; tries++) await Promise.all(programs().map((program) => program.send()));

  const report = await compare(server, user, last, written, { givenUp, forgotten });
  for (const { kill } of programs()) kill();
  network.end();
  vi.resetModules();
  return report;
}

async function logIn(device: Map<string, Program>, tokens: SignedUp['tokens']): Promise<void> {
  const [first] = device.values();
  await first?.signIn(tokens);
  for (const program of device.values()) await program.readSession();
}

/** Logs in again, as the user does when the app asks for the password. */
async function logInAgain(server: TestServer, device: Map<string, Program>, { user, password }: SignedUp): Promise<void> {
  const answer = await server.post('/auth/login/', { email: user.email, password }).catch(() => undefined);
  if (answer?.ok) await logIn(device, tokensAnswer.parse(await answer.json()).data);
}

/** Ends the session on the server only, so that the next refresh is refused. */
async function endOnServer(server: TestServer, tab: Program): Promise<void> {
  const tokens = tab.tokens();
  if (!tokens) return;
  const { refreshToken } = tokens;
  await server.post('/auth/logout/', { refreshToken }, { authorization: `Bearer ${tokens.accessToken}` }).catch(() => undefined);
}

async function compare(
  server: TestServer,
  { user }: SignedUp,
  tab: Program,
  written: Written[],
  left: { givenUp: Set<string>; forgotten: Set<string> },
) {
  const report: ScheduleReport = { written: written.length, delivered: 0, failed: 0, givenUp: 0, doubled: 0, lost: 0 };
  for (const { id, text, files } of written) {
    const stored = await server.db
      .select()
      .from(contactMessages)
      .where(and(eq(contactMessages.userId, user.id), eq(contactMessages.message, text)));
    const shown = await tab.stateOf(id);
    const whole = stored[0] !== undefined && (await hasFiles(server, stored[0].id, files));
    if (stored.length > 1) report.doubled += 1;
    else if ((shown === 'sent' || left.forgotten.has(id)) && whole) report.delivered += 1;
    else if (shown === 'failed' && (stored.length === 0 || whole)) report.failed += 1;
    else if (left.givenUp.has(id)) report.givenUp += 1;
    else report.lost += 1;
  }
  return report;
}

async function hasFiles(server: TestServer, messageId: string, count: number): Promise<boolean> {
  const rows = await server.db.select().from(contactFiles).where(eq(contactFiles.messageId, messageId)).orderBy(asc(contactFiles.place));
  const contents = await Promise.all(rows.map((row) => contentOf(server, row)));
  return rows.length === count && contents.every((bytes) => bytes && PICTURE.equals(bytes));
}
