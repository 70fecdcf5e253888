import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { chatImageAnswer, conversationAnswer } from '#contract/chat/chat.ts';
import { WATCH } from '#contract/market/choices.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { call, fromAddress, signUp } from '#tests/faults/api.ts';
import { candlePicture } from '#tests/support/charts/candle-picture.ts';
import { imageForm } from '#tests/support/chat/chatter.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { connect, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';

/** Coins that each visitor's socket watches. */
const COINS = 20;
const ANSWERED_WITHIN = 60_000;
/** Width of the pictures' border, by which each differs. */
const BORDERS = 60;

/** How often each thing happened. */
export type Counts = Record<string, number>;

export interface Visit {
  app: RunningApp;
  /** Number of the visitor, for the address of its mail and network. */
  number: number;
  random: () => number;
  /** Longest pause between two actions, ms. */
  pace: number;
  /** How long the visitor stays, ms. */
  stay: number;
  /** Ends the visit early. */
  signal: AbortSignal;
  counts: Counts;
}

type Coin = { id: number; name: string; symbol: string };

interface Session {
  token: string;
  refreshToken: string;
  userId: string;
  socket: TestSocket;
  coins: readonly Coin[];
  watched: Set<number>;
  /** The archive of all questions. */
  archiveId: string | undefined;
  questions: number;
}

type Act = (visit: Visit, session: Session) => Promise<void>;

const READS: [number, string, Act] = [40, 'lists', readList];
/** What a visitor does, up to which number of 100 that are drawn. */
const ACTIONS: readonly [number, string, Act][] = [
  READS,
  [60, 'watchlist edits', editWatchlist],
  [78, 'questions', (visit, session) => ask(visit, session, null)],
  [85, 'picture questions', askAboutPicture],
  [95, 'reconnects', reconnect],
  [100, 'token refreshes', refresh],
];

/** Signs up, uses the product for a while and signs out. Rejects when an answer is not what the user expects. */
export async function visit(of: Visit): Promise<void> {
  const { app, number, random, pace, stay, signal, counts } = of;
  const until = performance.now() + stay;
  const account = await signUp(app, number, `visitor-${number}@example.com`);
  count(counts, 'sign-ups');
  const list = marketListAnswer.parse(await must(of, account, `/coin-market/get-data?limit=${COINS}`));
  const coins = list.data.data;
  const socket = await arrive(of, account.token, coins);
  const session: Session = { ...account, socket, coins, watched: new Set(), archiveId: undefined, questions: 0 };
  try {
    while (!signal.aborted && performance.now() < until) {
      await pause(random() * pace);
      const drawn = random() * 100;
      const [, name, act] = ACTIONS.find(([upTo]) => drawn < upTo) ?? READS;
      await act(of, session);
      count(counts, name);
    }
    await untilAnswered(of, session);
  } finally {
    session.socket.disconnect();
  }
  await must(of, session, '/auth/logout', { refreshToken: session.refreshToken });
}

const count = (counts: Counts, what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

async function must({ app, number }: Visit, { token }: { token: string }, path: string, body?: unknown): Promise<unknown> {
  const answer = await call(app, number, path, { body, token });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function arrive({ app, number, counts }: Visit, token: string, coins: readonly Coin[]): Promise<TestSocket> {
  const socket = await connect(app.url, token, fromAddress(number));
  socket.on('coin_ticks', () => count(counts, 'ticks'));
  socket.emit(
    'watch_coins',
    coins.map(({ id }) => id),
  );
  return socket;
}

async function readList(of: Visit, session: Session): Promise<void> {
  await must(of, session, `/coin-market/get-data?limit=100&sortType=${1 + Math.floor(of.random() * 3)}`);
}

async function editWatchlist(of: Visit, session: Session): Promise<void> {
  const { userId, coins, watched } = session;
  const coin = coins[Math.floor(of.random() * coins.length)];
  if (!coin) return;
  const actionType = watched.has(coin.id) ? WATCH.remove : WATCH.add;
  await must(of, session, '/watchlist', { userId, cryptoId: coin.id, cryptoSymbol: coin.symbol, cryptoName: coin.name, actionType });
  if (!watched.delete(coin.id)) watched.add(coin.id);
  await must(of, session, `/watchlist/${userId}`, { limit: 20 });
}

async function ask({ counts }: Visit, session: Session, picture: string | null): Promise<void> {
  const { archiveId } = session;
  const ack = await send(session.socket, questionOf(session.userId, { ...(archiveId && { archive_id: archiveId }), chat_image: picture }));
  if ('chat' in ack) {
    session.archiveId = ack.chat.archive_id;
    session.questions += 1;
  } else if (ack.error.status === 429 || ack.error.code === 'subscription-ended') count(counts, 'refused by plan or limit');
  else throw new Error(`A question was refused: ${JSON.stringify(ack.error)}`);
}

let chart: Promise<Buffer> | undefined;

async function askAboutPicture(of: Visit, session: Session): Promise<void> {
  chart ??= candlePicture();
  const border = { right: of.number % BORDERS, bottom: session.questions, background: '#131722' };
  const picture = await sharp(await chart)
    .extend(border)
    .png()
    .toBuffer();
  const response = await fetch(`${of.app.url}/api/chat/images`, {
    method: 'POST',
    headers: { ...fromAddress(of.number), authorization: `Bearer ${session.token}` },
    body: imageForm(crypto.randomUUID(), picture),
  });
  if (!response.ok) throw new Error(`A picture answered ${response.status}: ${await response.text()}`);
  await ask(of, session, chatImageAnswer.parse(await response.json()).data.id);
}

async function reconnect(of: Visit, session: Session): Promise<void> {
  session.socket.disconnect();
  session.socket = await arrive(of, session.token, session.coins);
}

async function refresh(of: Visit, session: Session): Promise<void> {
  const { accessToken, refreshToken } = tokensAnswer.parse(
    await must(of, session, '/auth/refresh-token', { refreshToken: session.refreshToken }),
  ).data;
  Object.assign(session, { token: accessToken, refreshToken });
}

/** Waits until each question has its answer. */
async function untilAnswered(of: Visit, session: Session): Promise<void> {
  if (!session.archiveId) return;
  for (const deadline = Date.now() + ANSWERED_WITHIN; ; await pause(500)) {
    const { data } = conversationAnswer.parse(await must(of, session, `/archive/${session.archiveId}/chats`));
    const answered = data.filter(({ chat_status }) => chat_status === 'ai-responce').length;
    if (answered === session.questions) return;
    if (Date.now() > deadline) throw new Error(`${session.questions} questions, ${data.length} stored, ${answered} answered.`);
  }
}
