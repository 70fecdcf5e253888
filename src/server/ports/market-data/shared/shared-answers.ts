import type { Db } from '#server/db/open.ts';
import { type Origin, Unknown } from '../last-good.ts';
import type { Learned } from './answer-rows.ts';
import { type Answers, createNewest } from './answers.ts';
import { createMarketLeader } from './market-leader.ts';
import { createSharedAnswer } from './shared-answer.ts';

interface Member {
  wake(id: string): void;
  origin(id: string): Origin<object>;
}

/** Keeps a provider's answers in the database: all processes read them there, and the one that leads asks the provider. */
export function createSharedAnswers(db: Db): Answers {
  const kinds = new Map<string, Member>();
  let demand = (_key: string): void => undefined;

  const split = (key: string) => {
    const [name = '', id = ''] = key.split(':', 2);
    return { id, kind: kinds.get(name) };
  };

  async function ask(key: string): Promise<Learned | undefined> {
    const { id, kind } = split(key);
    if (!kind) return undefined;
    const origin = kind.origin(id);
    try {
      const value = await origin.get();
      return { value, left: origin.left() };
    } catch (error) {
      return { failure: error instanceof Unknown ? 'unknown' : 'failed', left: origin.left() };
    }
  }

  function wake(key: string): void {
    const { id, kind } = split(key);
    kind?.wake(id);
  }

  return {
    kind(name, { origin, aged, max }) {
      const origins = createNewest(origin, max);
      const shared = createNewest(
        (id) => createSharedAnswer({ db, key: id === '' ? name : `${name}:${id}`, aged, demand: (key) => demand(key) }),
        max,
      );
      kinds.set(name, { origin: origins as (id: string) => Origin<object>, wake: (id) => shared(id).wake() });
      return shared;
    },

    share({ hints, log }) {
      const onStored = (key: string): void => {
        wake(key);
        hints.publish(key);
      };
      const leader = createMarketLeader({ db, ask, onStored, log });
      demand = (key) => {
        hints.publish(key);
        leader.hurry();
      };
      // A hint may mean both: an answer that is wanted, or one that is stored.
      hints.listen((key) => {
        wake(key);
        leader.hurry();
      });
      return leader;
    },
  };
}
