import type { Next } from './store.ts';

interface Parts {
  /** Maximum number of queues. Conversations beyond it wait for the next poll of the database. */
  max: number;
  /** Answers all questions of one conversation. Never rejects. */
  drain(userId: string, archiveId: string, first?: Next): Promise<void>;
  /** Called once half of the queues are free again, if a conversation was left out. */
  onRoom(): void;
}

/** Creates one queue per conversation. `wake` during a drain makes that conversation drain once more, without its `first`. */
export function createConversationQueues({ max, drain, onRoom }: Parts) {
  const queues = new Map<string, { again: boolean; ended: Promise<void> }>();
  let isLeftOut = false;

  async function run(key: string, userId: string, archiveId: string, first: Next | undefined): Promise<void> {
    const queue = queues.get(key);
    await drain(userId, archiveId, first);
    while (queue?.again) {
      queue.again = false;
      await drain(userId, archiveId);
    }
    queues.delete(key);
    if (!isLeftOut || queues.size > max / 2) return;
    isLeftOut = false;
    onRoom();
  }

  return {
    wake(userId: string, archiveId: string, first?: Next): void {
      const key = `${userId}/${archiveId}`;
      const known = queues.get(key);
      if (known) known.again = true;
      else if (queues.size >= max) isLeftOut = true;
      else {
        const queue = { again: false, ended: Promise.resolve() };
        queues.set(key, queue);
        queue.ended = run(key, userId, archiveId, first);
      }
    },

    /** Resolves once every queue has ended. */
    async settled(): Promise<void> {
      await Promise.all([...queues.values()].map(({ ended }) => ended));
    },
  };
}
