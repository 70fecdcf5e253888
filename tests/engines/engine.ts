/** A tab of a browser that is driven from outside, whatever its engine. */
export interface EngineTab {
  open(url: string): Promise<void>;
  /** Runs a function in the page, with arguments and an answer that JSON can carry; waits for its promise. */
  run<Arguments extends unknown[], Answer>(script: (...args: Arguments) => Answer | Promise<Answer>, ...args: Arguments): Promise<Answer>;
}

/** A browser without Background Sync, on a profile of its own. */
export interface EngineBrowser {
  tab(): Promise<EngineTab>;
  /** Ends all its processes at once, as an empty battery would. */
  kill(): Promise<void>;
}

export interface Engine {
  name: string;
  /** What must be installed for it, if something is missing. */
  missing: string | undefined;
  start(profile: string): Promise<EngineBrowser>;
}
