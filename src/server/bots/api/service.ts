import { randomUUID } from 'node:crypto';
import {
  type Bot,
  type BotReport,
  type CreateBotBody,
  LIVE_WORD,
  MAX_BOTS,
  MIN_POSITION_SIZE,
  type StopMode,
  type UpdateBotBody,
} from '#contract/bots/bot.ts';
import { BACKTEST } from '#domain/bots/backtest-figures.ts';
import type { Clock } from '#domain/clock.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest, forbidden, notFound, Problem } from '#server/http/errors.ts';
import { type Exchange, ExchangeError, type KeyFacts, type Keys, type Owner } from '#server/ports/exchange/exchange.ts';
import { hintOf, type KeySafe } from '../keys/key-safe.ts';
import { accountName, sealingVersion } from '../keys/sealing.ts';
import { usd } from '../messages/journal.ts';
import { elsewhere, moneyOfBot } from '../messages/money.ts';
import { exchangeProblem, fatalReason, keyRefusal } from '../messages/refusals.ts';
import type { AccessOf } from '../store/access.ts';
import {
  addEvent,
  type BotRow,
  deleteBot,
  earned,
  findBot,
  findBots,
  findClosedTrades,
  findEquity,
  findEvents,
  haltReason,
  insertBot,
  isInUse,
  lockBot,
  SHOWN_TRADES,
  shiftEquity,
  updateBot,
} from '../store/bots.ts';
import { performanceOf, toCurve, toEvent, toTrade } from './report.ts';
import { toBot } from './to-bot.ts';

/** How often a deletion looks whether the exchange is done, and the pause between, ms. */
const LOOKS = 10;
const PAUSE = 300;

const deletionFailed = () => new Problem(502, 'exchange', 'Failed to delete trading bot');

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  testnet: boolean;
  safe: KeySafe;
  accessOf: AccessOf;
  /** Looks after a bot at once; see engine/tend. False where another process is at it. */
  tend: (botId: string) => Promise<boolean>;
  /** Lets the engine know that there is something to do. */
  wake: () => void;
}

export type BotService = ReturnType<typeof createBotService>;

/** What users ask of their bots. What follows from it at the exchange is the engine's work. */
export function createBotService({ db, clock, exchange, testnet, safe, accessOf, tend, wake }: Parts) {
  const now = () => new Date(clock());

  /** USD; null while the market is out of reach, which hides no bot. */
  async function priceNow(): Promise<number | null> {
    try {
      return (await exchange.feed.forming()).close;
    } catch (error) {
      if (error instanceof ExchangeError) return null;
      throw error;
    }
  }

  async function surroundings(from: Db, userId: string) {
    const [markPrice, halted] = await Promise.all([priceNow(), haltReason(from, userId)]);
    return { exchange, markPrice, halted };
  }

  const shown = async (from: Db, row: BotRow): Promise<Bot> => toBot(row, await surroundings(from, row.userId));

  async function locked(tx: Tx, userId: string, id: string): Promise<BotRow> {
    const row = await lockBot(tx, userId, id);
    if (!row) throw notFound();
    return row;
  }

  async function demandAccess(from: Db, userId: string): Promise<void> {
    const access = await accessOf(from, userId);
    if (!access.allowed) throw forbidden('no_access', access.message);
  }

  /**
   * Names what must not trade for two bots, whoever their users are. Positions of one account net, whichever key they
   * came by; a paper account is each bot's own.
   */
  const accountOf = ({ key }: Keys, { accountId }: KeyFacts): string =>
    accountName({ exchange: exchange.kind, testnet }, { key, accountId });

  /** The digests of an account under all held keys. */
  const digestsOf = (account: string): string[] => safe.versions().flatMap((version) => version?.digest(account) ?? []);

  /** What the exchange says of a key that a bot shall trade with. Throws what its user has to mend. */
  async function vet(keys: Keys, owner: Owner, failure: string): Promise<KeyFacts> {
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

  /** What a bot keeps of a key. */
  async function keyColumns(tx: Tx, botId: string, keys: Keys, facts: KeyFacts) {
    const account = accountOf(keys, facts);
    const version = await sealingVersion(tx, safe);
    return {
      sealedKeys: version.seal(botId, { ...keys, account }),
      keyHint: hintOf(keys.key),
      keyDigest: version.digest(account),
      keyCheckedAt: now(),
      keyExpiresAt: facts.expiresAt === null ? null : new Date(facts.expiresAt),
      keyWarnedDays: null,
    };
  }

  /**
   * What a bot has with another position size, USD: the difference is paid in or out, and what it earned or lost stays. Its
   * curve is told as if it had been given that at first, so that no payment looks like a gain or a loss.
   */
  async function staked(tx: Tx, row: BotRow, size: number): Promise<number> {
    const [sum = 0] = await earned(tx, [{ botId: row.id }]);
    if (size === row.positionSize) return size + sum;
    if (size + sum < MIN_POSITION_SIZE) {
      const least = Math.ceil(MIN_POSITION_SIZE - sum);
      const text = `This bot has lost ${usd(-sum)}. It needs a position size of ${usd(least)} or more to have ${usd(MIN_POSITION_SIZE)} left to trade with.`;
      throw badRequest('position_size', text);
    }
    await shiftEquity(tx, row.id, size - row.positionSize);
    return size + sum;
  }

  /**
   * A bot with another key. What it holds lies in its account, so the key must be of the same one. A bot that broke down for
   * its key waits to be started.
   */
  async function rekeyed(tx: Tx, row: BotRow, keys: Keys, facts: KeyFacts) {
    const key = await keyColumns(tx, row.id, keys, facts);
    if (exchange.kind !== 'paper' && !digestsOf(accountOf(keys, facts)).includes(row.keyDigest))
      throw badRequest(
        'other_account',
        'This API key is of another exchange account. A bot keeps its account: please use a key of that one.',
      );
    return { ...key, ...(row.status === 'ERROR' && { status: 'STOPPED' as const, statusReason: null }) };
  }

  /** Changes a bot and writes down why. */
  async function change(tx: Tx, row: BotRow, set: Partial<BotRow>, kind: string, text: string): Promise<Bot> {
    await addEvent(tx, row.id, { actor: 'user', kind, text }, clock());
    return shown(tx, await updateBot(tx, row.id, set));
  }

  return {
    wake,

    /** Whether a bot moves real money; without an id, whether a new one would. False for a bot that is gone. */
    async isLive(userId: string, id?: string): Promise<boolean> {
      if (id === undefined) return !exchange.paper;
      const row = await findBot(db, userId, id);
      return row !== undefined && moneyOfBot(row) === 'live';
    },

    /** Asks the exchange about a new bot's key. Throws what its user has to mend. Asks the network, so it is no part of a transaction. */
    async check(userId: string, body: CreateBotBody): Promise<KeyFacts> {
      await demandAccess(db, userId);
      const asset = body.config?.asset;
      if (asset !== undefined && !/^BTC(USDT|USD)?$/i.test(asset)) throw badRequest('asset', 'Bots trade BTC only.');
      if (!exchange.paper && body.confirm_live !== LIVE_WORD)
        throw badRequest('confirm_live', `Real money is traded here. Please type ${LIVE_WORD} to confirm.`);
      const owner = { userId, botId: randomUUID(), capital: Number(body.position_size) };
      return vet({ key: body.api_key, secret: body.secret_key }, owner, 'Failed to create trading bot');
    },

    /** The same about another key for a bot. */
    async checkReplacement(userId: string, id: string, keys: Keys): Promise<KeyFacts> {
      const row = await findBot(db, userId, id);
      if (!row) throw notFound();
      const away = elsewhere(row, exchange);
      if (away !== null) throw new Problem(409, 'elsewhere', away);
      return vet(keys, { userId, botId: id, capital: row.positionSize }, 'Failed to update trading bot');
    },

    async create(tx: Tx, userId: string, body: CreateBotBody, facts: KeyFacts): Promise<Bot> {
      await lockUser(tx, userId);
      const existing = await findBots(tx, userId);
      if (existing.length >= MAX_BOTS)
        throw new Problem(409, 'too_many_bots', `You can have ${MAX_BOTS} trading bots. Please delete one first.`);
      const id = randomUUID();
      const keys = { key: body.api_key, secret: body.secret_key };
      const key = await keyColumns(tx, id, keys, facts);
      if (exchange.kind !== 'paper' && (await isInUse(tx, digestsOf(accountOf(keys, facts)))))
        throw badRequest(
          'key_in_use',
          'This exchange account trades for another bot here. Please make a subaccount for this one, with a key of its own.',
        );
      const row = await insertBot(tx, {
        id,
        userId,
        name: body.bot_name,
        status: 'PROVISIONING',
        positionSize: Number(body.position_size),
        leverage: body.leverage,
        exchange: exchange.kind,
        testnet,
        ...key,
        equity: Number(body.position_size),
        lastExchangeAt: now(),
        fillsSeenTo: exchange.feed.now(),
        createdAt: now(),
      });
      const money = { paper: ' of paper money', testnet: ' of test money', live: ' of real money' }[
        moneyOfBot({ exchange: exchange.kind, testnet })
      ];
      await addEvent(
        tx,
        id,
        { actor: 'user', kind: 'created', text: `Created with ${row.positionSize} USD${money} at ${row.leverage}×.` },
        clock(),
      );
      return shown(tx, row);
    },

    async list(userId: string): Promise<Bot[]> {
      const rows = await findBots(db, userId);
      if (rows.length === 0) return [];
      const around = await surroundings(db, userId);
      return rows.map((row) => toBot(row, around));
    },

    async read(userId: string, id: string): Promise<Bot> {
      const row = await findBot(db, userId, id);
      if (!row) throw notFound();
      return shown(db, row);
    },

    async report(userId: string, id: string): Promise<BotReport> {
      const row = await findBot(db, userId, id);
      if (!row) throw notFound();
      const [bot, points, trades, events] = await Promise.all([
        shown(db, row),
        findEquity(db, id),
        findClosedTrades(db, id),
        findEvents(db, id),
      ]);
      const start = { at: row.createdAt, equity: row.positionSize };
      const curve = [start, ...points, { at: now(), equity: bot.equity }];
      return {
        bot,
        equity: toCurve(curve),
        trades: trades.slice(0, SHOWN_TRADES).map(toTrade),
        events: events.map(toEvent),
        live: performanceOf(trades, curve, start, clock()),
        backtest: BACKTEST,
      };
    },

    /** `replacement` has another key, and what the exchange said of it. */
    async update(tx: Tx, userId: string, id: string, body: UpdateBotBody, replacement?: { keys: Keys; facts: KeyFacts }): Promise<Bot> {
      const row = await locked(tx, userId, id);
      const size = body.position_size === undefined ? row.positionSize : Number(body.position_size);
      const leverage = body.leverage ?? row.leverage;
      const risky = size !== row.positionSize || leverage !== row.leverage;
      if (risky && (row.status !== 'STOPPED' || row.position !== null))
        throw new Problem(409, 'bot_running', 'Position size and leverage can change only while the bot is stopped and holds nothing.');
      const money = risky && { positionSize: size, leverage, equity: await staked(tx, row, size), guards: {} };
      const name = body.bot_name ?? row.name;
      const key = replacement && (await rekeyed(tx, row, replacement.keys, replacement.facts));
      const told = [
        name !== row.name && `Now named ${name}.`,
        risky && `Now trades ${size} USD at ${leverage}×.`,
        key && `Its API key was replaced by one that ends in ${key.keyHint}.`,
      ].filter((text) => text !== false && text !== undefined);
      if (told.length === 0) return shown(tx, row);
      return change(tx, row, { name, ...money, ...key }, 'changed', told.join(' '));
    },

    /** Checks the key again and goes on trading. */
    async start(tx: Tx, userId: string, id: string): Promise<Bot> {
      const row = await locked(tx, userId, id);
      if (row.status === 'RUNNING' || row.status === 'PROVISIONING') return shown(tx, row);
      if (row.status === 'STOPPING') throw new Problem(409, 'bot_stopping', 'The bot is still stopping. Please wait a moment.');
      await demandAccess(tx, userId);
      const halted = await haltReason(tx, userId);
      if (halted !== null) throw new Problem(409, 'halted', halted);
      const set = { status: 'PROVISIONING', statusReason: null, pausedBy: null, pausedReason: null, stopMode: null } as const;
      return change(tx, row, set, 'started', 'Started.');
    },

    async stop(tx: Tx, userId: string, id: string, stopMode: StopMode): Promise<Bot> {
      const row = await locked(tx, userId, id);
      const rests = row.status === 'STOPPED' && (row.position === null || stopMode === 'keep');
      if (rests || (row.status === 'STOPPING' && row.stopMode === stopMode)) return shown(tx, row);
      const what = stopMode === 'close' ? 'an open position is closed at market' : 'an open position stays, with its stop';
      return change(tx, row, { status: 'STOPPING', stopMode, statusReason: null }, 'stopping', `Stopping: ${what}.`);
    },

    async pause(tx: Tx, userId: string, id: string): Promise<Bot> {
      const row = await locked(tx, userId, id);
      if (row.status !== 'RUNNING') throw new Problem(409, 'bot_not_running', 'Only a running bot can be paused.');
      if (row.pausedBy === 'user') return shown(tx, row);
      return change(
        tx,
        row,
        { pausedBy: 'user', pausedReason: 'Paused by you' },
        'paused',
        'Paused: nothing new is opened, an open position keeps its stop.',
      );
    },

    async resume(tx: Tx, userId: string, id: string): Promise<Bot> {
      const row = await locked(tx, userId, id);
      if (row.pausedBy !== 'user') return shown(tx, row);
      await demandAccess(tx, userId);
      return change(tx, row, { pausedBy: null, pausedReason: null }, 'resumed', 'Resumed: new positions may be opened.');
    },

    /**
     * Stops a bot that is about to be deleted, its position closed. Throws where the exchange did not do it; the bot
     * goes on stopping then. A key that the exchange refuses or that can no longer be read, or another exchange than is
     * traded on now, holds nobody back: what rests there is out of our reach, and the answer is false.
     */
    async windUp(userId: string, id: string): Promise<boolean> {
      for (let look = 0; look < LOOKS; look++) {
        const row = await findBot(db, userId, id);
        if (!row || (row.status === 'STOPPED' && row.position === null)) return true;
        if (elsewhere(row, exchange) !== null) return false;
        if (row.status !== 'STOPPING' || row.stopMode !== 'close') await db.transaction((tx) => this.stop(tx, userId, id, 'close'));
        const done = await tend(id).catch((error: unknown) => {
          if (fatalReason(error) !== null) return 'out of reach';
          throw deletionFailed();
        });
        if (done === 'out of reach') return false;
        if (!done) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      throw deletionFailed();
    },

    /**
     * Stops all bots of a user whose account is deleted, and closes what they hold. How many are stopped, and how many of
     * them are out of our reach at the exchange. Throws the `Problem` that says which bot has to wait; it goes on stopping.
     */
    async windUpAll(userId: string): Promise<{ stopped: number; out_of_reach: number }> {
      const rows = await findBots(db, userId);
      let outOfReach = 0;
      for (const row of rows) {
        const away = elsewhere(row, exchange);
        if (away !== null && row.position !== null) throw new Problem(409, 'elsewhere', `Bot ${row.id} holds a position. ${away}`);
        const closed = await this.windUp(userId, row.id).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          throw new Problem(502, 'exchange', `The exchange did not confirm that bot ${row.id} is closed.`);
        });
        if (!closed) outOfReach += 1;
      }
      return { stopped: rows.length, out_of_reach: outOfReach };
    },

    /** 404 for one that is gone. Throws for one that was started again since it was wound up. */
    async remove(tx: Tx, userId: string, id: string): Promise<void> {
      const row = await locked(tx, userId, id);
      const runs = row.status === 'RUNNING' || row.status === 'PROVISIONING';
      if (runs && elsewhere(row, exchange) === null) throw deletionFailed();
      await deleteBot(tx, id);
    },
  };
}
