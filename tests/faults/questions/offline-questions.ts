import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { userAnswer } from '#contract/account/user.ts';
import { archivesAnswer } from '#contract/chat/archive.ts';
import { conversationAnswer } from '#contract/chat/chat.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { createRandom } from '#domain/random.ts';
import { signedIn } from '#tests/support/accounts/signed-in.ts';
import { newPerson, type Person } from '#tests/support/browser/main-path.ts';
import { listStored } from '#tests/support/browser/stored-lists.ts';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { conversation } from '#tests/support/chat/chat-page.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { call } from '../api.ts';
import { type DeviceChats, openQuestionDevice, type QuestionDevice, sendFrom, shownAsStored } from './question-device.ts';

/** What the device's rules answer, each asked at most once in a schedule; fewer than the month's allowance. */
const QUESTIONS = [
  'What is staking?',
  'What is the price of Bitcoin?',
  'Compare Ethereum and Solana',
  'Top gainers today',
  'How is the market?',
  'Market cap of Ethereum',
  'What is a stablecoin?',
  'Solana volume',
];
const STEPS = 14;
const MAX_ASKED = 6;
/** How long a question may take to be answered once every fault has ended, ms. */
const PATIENCE_MS = 60_000;
/** What the server says that can be lost on its way: a new conversation, an acknowledgement, an answer. */
const LOST = [/^HTTP\/1\.1 201/, /43\d+\[\{"chat":/, /42\["chat_response"/];

/** What a schedule did, and what was wrong after it. */
interface QuestionReport {
  asked: number;
  /** Questions whose answer of the device was seen on the screen. */
  answeredOffline: number;
  kills: number;
  faults: string[];
}

interface Schedule {
  app: RunningApp;
  proxy: TcpProxy;
  device: QuestionDevice;
  person: Person;
  random: () => number;
  /** The questions that the user saw as stored, with their conversations. */
  asked: Map<string, string>;
  /** Conversations of the user. */
  archives: Set<string>;
  isConnected: boolean;
  report: QuestionReport;
}

const pick = <T>({ random }: Pick<Schedule, 'random'>, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Asks a question in a new conversation or in one of the user's. Some questions are cut off by a kill on their way. */
async function ask(schedule: Schedule): Promise<void> {
  const { device, asked, archives, random, report } = schedule;
  const question = QUESTIONS[asked.size];
  if (question === undefined || asked.size >= MAX_ASKED) return;
  const tab = pick(schedule, device.tabs());
  const isNew = archives.size === 0 || random() < 0.35;
  const path = isNew ? '/chat' : `/chat/archive/${pick(schedule, [...archives])}`;
  if (new URL(tab.url()).pathname !== path) await tab.goto(new URL(path, tab.url()).href);
  await sendFrom(tab, question);
  const isCutOff = random() < 0.3;
  if (isCutOff) {
    await pause(random() * 120);
    await restart(schedule);
    await askAgainUnlessKept(schedule, question);
  } else asked.set(question, await shownAsStored(tab, question));
  archives.add(asked.get(question) ?? '');
  if (!schedule.isConnected && random() < 0.5) {
    const [first] = device.tabs();
    await expectOwnAnswer(first as Page, question, asked.get(question) ?? '');
    report.answeredOffline += 1;
  }
}

/** A question is on the device at most once after a kill. The user of a question that is gone asks it again. */
async function askAgainUnlessKept({ device, asked, report }: Schedule, question: string): Promise<void> {
  const kept = (await device.chats()).questions.filter(({ text }) => text === question);
  if (kept.length > 1) report.faults.push(`"${question}" is on the device ${kept.length} times after a kill`);
  const [only] = kept;
  if (only) return void asked.set(question, only.archiveId);
  const [tab] = device.tabs();
  if (!tab) return;
  await tab.goto(new URL('/chat', tab.url()).href);
  await sendFrom(tab, question);
  asked.set(question, await shownAsStored(tab, question));
}

/** The device answers a question that cannot reach the server. */
async function expectOwnAnswer(tab: Page, question: string, archiveId: string): Promise<void> {
  await tab.goto(new URL(`/chat/archive/${archiveId}`, tab.url()).href);
  const item = conversation(tab).getByRole('listitem').filter({ hasText: question }).last();
  await expect(item.getByText(/^From this device, figures of /)).toBeVisible();
}

async function restart({ device, report }: Schedule): Promise<void> {
  report.kills += 1;
  await device.restart();
}

/** Frozen connections may end with the outage, or stay dead. */
async function connect(schedule: Schedule, endsDead = schedule.random() < 0.5): Promise<void> {
  await schedule.proxy.heal();
  if (endsDead) schedule.proxy.cut();
  await schedule.device.setOffline(false);
  schedule.isConnected = true;
}

async function disconnect(schedule: Schedule): Promise<void> {
  const { proxy, device } = schedule;
  schedule.isConnected = false;
  const ways = [() => proxy.refuse(), () => proxy.freeze(), () => device.setOffline(true)];
  await pick(schedule, ways)();
}

/** What can happen. Asking is most frequent. */
const steps = (schedule: Schedule): (() => Promise<unknown>)[] => [
  () => ask(schedule),
  () => ask(schedule),
  () => ask(schedule),
  () => restart(schedule),
  () => disconnect(schedule),
  () => disconnect(schedule),
  () => connect(schedule),
  async () => schedule.proxy.loseNext(pick(schedule, LOST)),
  async () => schedule.proxy.cut(),
  () => pick(schedule, schedule.device.tabs()).reload(),
  () => pause(schedule.random() * 1_500),
  async () => {
    await schedule.app.stop('SIGKILL');
    // Access tokens end with their key; the session goes on.
    if (schedule.random() < 0.5) await schedule.app.endAccessTokens();
    await schedule.app.start();
  },
];

/**
 * A device with two tabs of the installed app, a real server, and faults drawn from `seed`: lost connections and answers,
 * killed browsers and servers, ended access tokens. Then every fault ends, and each question is looked for on the device
 * and on the server.
 */
export async function runQuestionSchedule(app: RunningApp, seed: number): Promise<QuestionReport> {
  const random = createRandom(seed);
  const report: QuestionReport = { asked: 0, answeredOffline: 0, kills: 0, faults: [] };
  const proxy = await startTcpProxy({ port: Number(new URL(app.url).port) });
  const url = `http://localhost:${proxy.port}`;
  const person = newPerson();
  const through: RunningApp = Object.create(app, { url: { value: url } });
  try {
    const device = await openQuestionDevice(url, async (page) => {
      await signedIn(page, through, person, '/chat');
      await workerReady(page);
      await listStored(page);
    });
    try {
      const schedule: Schedule = { app, proxy, device, person, random, asked: new Map(), archives: new Set(), isConnected: true, report };
      // The first question waits on the device.
      await disconnect(schedule);
      await ask(schedule);
      for (let step = 0; step < STEPS; step++) await pick(schedule, steps(schedule))();
      await calm(schedule);
      await compare(schedule);
    } finally {
      await device.remove();
    }
  } finally {
    await proxy.close();
  }
  return report;
}

/** Ends every fault, opens each conversation once, and waits until nothing is left to send or to answer. */
async function calm(schedule: Schedule): Promise<void> {
  const { device, asked } = schedule;
  await connect(schedule, true);
  if (schedule.random() < 0.5) await restart(schedule);
  const [tab] = device.tabs();
  for (const archiveId of new Set(asked.values())) await tab?.goto(new URL(`/chat/archive/${archiveId}`, tab.url()).href);
  const settled = async () => {
    const { questions, unsent } = await device.chats();
    return unsent === 0 && questions.every(({ isAnswered }) => isAnswered);
  };
  const until = Date.now() + PATIENCE_MS;
  while (!(await settled()) && Date.now() < until) await pause(250);
}

/** Notes each question and conversation that is not exactly once on the device and on the server. */
async function compare({ app, device, person, asked, archives, report }: Schedule): Promise<void> {
  const { faults } = report;
  report.asked = asked.size;
  const chats = await device.chats();
  const server = await readServer(app, person);
  if (chats.unsent > 0) faults.push(`${chats.unsent} commands are left in the outbox`);
  for (const [place, found] of [
    ['device', chats],
    ['server', server],
  ] as const) {
    for (const [question, archiveId] of asked) {
      const rows = found.questions.filter(({ text }) => text === question);
      if (rows.length !== 1) faults.push(`"${question}" is ${rows.length} times on the ${place}`);
      if (rows.some((row) => row.archiveId !== archiveId)) faults.push(`"${question}" is in another conversation on the ${place}`);
      if (rows.some(({ isAnswered }) => !isAnswered)) faults.push(`"${question}" has no answer on the ${place}`);
      if (rows.some(({ isRepeated }) => isRepeated)) faults.push(`"${question}" shows one answer twice on the ${place}`);
    }
    const others = found.questions.filter(({ text }) => !asked.has(text));
    if (others.length > 0) faults.push(`the ${place} has questions that no one asked: ${others.map(({ text }) => text).join(', ')}`);
    for (const id of archives) {
      const times = found.archives.filter((each) => each === id).length;
      if (times !== 1) faults.push(`conversation ${id} is ${times} times on the ${place}`);
    }
    if (found.archives.length !== archives.size)
      faults.push(`the ${place} has ${found.archives.length} conversations, and the user started ${archives.size}`);
  }
  if (server.left !== PLANS.FREE.questions - asked.size)
    faults.push(`${asked.size} questions left ${server.left} of ${PLANS.FREE.questions}`);
  const [tab] = device.tabs();
  if (!tab || !new URL(tab.url()).pathname.startsWith('/chat')) faults.push(`the sign-in is lost: ${tab?.url()}`);
}

/** Reads the user's conversations and the rest of the month's questions over the API. */
async function readServer(
  app: RunningApp,
  { email, password }: Person,
): Promise<Omit<DeviceChats, 'unsent'> & { left: number | undefined }> {
  const { body } = await call(app, 1, '/auth/login/', { body: { email, password } });
  const { accessToken: token } = tokensAnswer.parse(body).data;
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const listed = archivesAnswer.parse((await call(app, 1, `/user/${sub}/archives/`, { token })).body).data;
  const pages = await Promise.all(
    listed.map(async ({ id }) => conversationAnswer.parse((await call(app, 1, `/archive/${id}/chats`, { token })).body).data),
  );
  const { userSubscription } = userAnswer.parse((await call(app, 1, `/auth/user/${sub}/`, { token })).body).data;
  return {
    archives: listed.map(({ id }) => id),
    questions: pages.flat().map(({ id, archive_id, user_message, ai_response }) => ({
      id,
      archiveId: archive_id,
      text: user_message,
      isAnswered: ai_response !== '',
      isRepeated: false,
    })),
    left: userSubscription.extraQuestions,
  };
}
