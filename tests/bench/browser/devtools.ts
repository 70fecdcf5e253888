import type { Readable, Writable } from 'node:stream';

/** How long Chromium may take to answer a call, ms. Longer than any page it evaluates may take. */
const CALL_TIMEOUT_MS = 120_000;

type Params = Record<string, unknown>;
type Listener = (params: Params) => void;

/** A DevTools session with the browser or with one page. */
export interface Session {
  send<T = Params>(method: string, params?: object): Promise<T>;
  on<T = Params>(event: string, listener: (params: T) => void): void;
  /** Evaluates an expression in the page, awaits its promise and returns its value. */
  evaluate<T>(expression: string): Promise<T>;
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Params;
  result?: unknown;
  error?: { message: string };
}

interface Evaluation<T> {
  result: { value: T };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

interface Call {
  method: string;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * Talks to Chromium over its debugging pipe: JSON with a zero byte after each message. It attaches to nothing by itself,
 * because a debugger on a service worker delays its start.
 * @returns a function that returns the session with this id, or the browser's own without one
 */
export function connectDevTools(input: Writable, output: Readable): (sessionId?: string) => Session {
  const calls = new Map<number, Call>();
  const listeners = new Map<string, Listener[]>();
  let lastId = 0;

  const receive = (text: string) => {
    const message: Message = JSON.parse(text);
    if (message.id === undefined) {
      const event = `${message.sessionId ?? ''} ${message.method}`;
      for (const listener of listeners.get(event) ?? []) listener(message.params ?? {});
      return;
    }
    const call = calls.get(message.id);
    calls.delete(message.id);
    clearTimeout(call?.timer);
    if (message.error) call?.reject(new Error(`${call.method}: ${message.error.message}`));
    else call?.resolve(message.result as never);
  };
  splitMessages(output, receive);
  output.on('close', () => {
    for (const { method, reject, timer } of calls.values()) {
      clearTimeout(timer);
      reject(new Error(`${method}: Chromium ended`));
    }
    calls.clear();
  });
  // A write after the browser's end is reported by the call's own rejection.
  input.on('error', () => undefined);

  return (sessionId) => {
    const session: Session = {
      send(method, params = {}) {
        const id = ++lastId;
        return new Promise((resolve, reject) => {
          const timer = setTimeout(() => {
            calls.delete(id);
            reject(new Error(`${method}: no answer within ${CALL_TIMEOUT_MS / 1000} s`));
          }, CALL_TIMEOUT_MS);
          calls.set(id, { method, resolve, reject, timer });
          input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
        });
      },
      on(event, listener) {
        const key = `${sessionId ?? ''} ${event}`;
        listeners.set(key, [...(listeners.get(key) ?? []), listener as Listener]);
      },
      async evaluate<T>(expression: string) {
        const call = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await session.send<Evaluation<T>>('Runtime.evaluate', call);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      },
    };
    return session;
  };
}

/** Calls `receive` with each message of the pipe, which may arrive in pieces. */
function splitMessages(output: Readable, receive: (text: string) => void) {
  let pieces: Buffer[] = [];
  output.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const text = Buffer.concat([...pieces, rest.subarray(0, end)]).toString();
      pieces = [];
      rest = rest.subarray(end + 1);
      receive(text);
    }
    if (rest.length > 0) pieces.push(rest);
  });
}
