/** At most `max` uses of a key in a window of `span` ms that starts with the key's first use. */
export interface RateLimit {
  max: number;
  span: number;
}

export interface Counted {
  /** Uses of the key in its window, this one and refused ones included. */
  used: number;
  /** Time until the window ends, ms. */
  left: number;
  isAllowed: boolean;
}

/** Counts one use of a key. Returns at once and never throws. */
export type Counter = (key: string) => Counted;

export interface Limits {
  /** Returns the counter of a limit. All processes count limits of the same name together. Throws if this process has the name already. */
  counter(name: string, limit: RateLimit): Counter;
  /** Ends the connection to the store. */
  close(): Promise<void>;
}

/** Uses of a key that are not in the store yet. */
export interface Uses {
  /** A UUID made of the limit and its key, without dashes. */
  id: string;
  amount: number;
  /** Length of a window that these uses start, ms. */
  span: number;
}

/** Counts for all processes, by its own clock. */
export interface CountStore {
  /**
   * Adds uses to the current windows of their ids, which differ, and starts windows where none is open.
   * @param onSend called before the uses are sent: after a later failure they may be stored or not
   * @returns all uses in each window, and the time until it ends, ms
   */
  add(uses: readonly Uses[], onSend: () => void): Promise<Pick<Counted, 'used' | 'left'>[]>;
  close(): Promise<void>;
}
