interface Parts {
  /** Lanes at most; archives beyond that are left to the next look at the database. */
  most: number;
  /** Sees to one archive until nothing is left to do there. Never rejects. */
  drain(userId: string, archiveId: string): Promise<void>;
  /** Called when an archive was left out and half of the lanes are free again. */
  onRoom(): void;
}

/** One lane for each archive: an archive is drained once at a time, and again for what came meanwhile. */
export function createLanes({ most, drain, onRoom }: Parts) {
  const lanes = new Map<string, { again: boolean; ended: Promise<void> }>();
  let leftOut = false;

  async function run(key: string, userId: string, archiveId: string): Promise<void> {
    const lane = lanes.get(key);
    do {
      if (lane) lane.again = false;
      await drain(userId, archiveId);
    } while (lane?.again);
    lanes.delete(key);
    if (!leftOut || lanes.size > most / 2) return;
    leftOut = false;
    onRoom();
  }

  return {
    wake(userId: string, archiveId: string): void {
      const key = `${userId}/${archiveId}`;
      const known = lanes.get(key);
      if (known) known.again = true;
      else if (lanes.size >= most) leftOut = true;
      else {
        const lane = { again: false, ended: Promise.resolve() };
        lanes.set(key, lane);
        lane.ended = run(key, userId, archiveId);
      }
    },

    /** Resolves once every lane has ended. */
    async settled(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ ended }) => ended));
    },
  };
}
