/** Faults between a client and Bybit. Each takes a call and decides its effect and its answer. */
import type { Venue } from './venue.ts';

export interface Call {
  /** Path without `/v5/`, such as `order/create`. */
  path: string;
  params: Readonly<Record<string, unknown>>;
  /** The key's account; undefined for public calls. */
  venue: Venue | undefined;
  /** The previous answer of this path. */
  before: Reply | undefined;
}

export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
}

/** `reset` breaks the connection; `silence` keeps it open and never answers. */
export type Fault = (carryOut: (changed?: Call['params']) => Reply, call: Call) => Reply | 'reset' | 'silence';

export const envelope = (retCode: number, retMsg: string, result: unknown, time: number): Reply => ({
  status: 200,
  body: JSON.stringify({ retCode, retMsg, result, retExtInfo: {}, time }),
});

/** No fault. */
export const same: Fault = (carryOut) => carryOut();
export const neverArrives: Fault = () => 'reset';
export const answerLost: Fault = (carryOut) => {
  carryOut();
  return 'reset';
};
export const ignored: Fault = () => 'silence';
export const answerSwallowed: Fault = (carryOut) => {
  carryOut();
  return 'silence';
};

/** Skips the call and answers with this status and body. */
export const instead =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  () => ({ status, body, headers });

/** Executes the call and answers with this status and body. */
export const doneBut =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (carryOut) => {
    carryOut();
    return { status, body, headers };
  };

export const refused =
  (code: number, message: string, headers: Record<string, string> = {}): Fault =>
  () => ({ ...envelope(code, message, {}, 0), headers });

/** Executes the call and answers with a refusal. */
export const doneButRefused =
  (code: number, message: string): Fault =>
  (carryOut) => {
    carryOut();
    return envelope(code, message, {}, 0);
  };

/** Cuts the answer in half. */
export const truncated: Fault = (carryOut) => {
  const reply = carryOut();
  return { ...reply, body: reply.body.slice(0, reply.body.length / 2) };
};

/** Repeats the previous answer. */
export const stale: Fault = (carryOut, { before }) => before ?? carryOut();

/** Changes the list in an answer. */
export const listChanged =
  (change: (list: Row[]) => Row[]): Fault =>
  (carryOut) => {
    const reply = carryOut();
    const answer = JSON.parse(reply.body) as { result: { list: Row[] } };
    answer.result.list = change(answer.result.list);
    return { ...reply, body: JSON.stringify(answer) };
  };

/** Changes these fields of an answer's result. */
export const resultChanged =
  (fields: object): Fault =>
  (carryOut) => {
    const reply = carryOut();
    const answer = JSON.parse(reply.body) as { result: object };
    return { ...reply, body: JSON.stringify({ ...answer, result: { ...answer.result, ...fields } }) };
  };

/** Changes these fields of each row in the list of an answer. */
export const rowsChanged = (fields: object): Fault => listChanged((list) => list.map((row) => ({ ...row, ...fields })));

// biome-ignore lint/suspicious/noExplicitAny: rows of any list, as JSON gives them
type Row = any;

/** Runs an action before or after the call. */
export const first =
  (happens: (call: Call) => void, then: Fault = (carryOut) => carryOut()): Fault =>
  (carryOut, call) => {
    happens(call);
    return then(carryOut, call);
  };
export const afterwards =
  (happens: (call: Call) => void): Fault =>
  (carryOut, call) => {
    const reply = carryOut();
    happens(call);
    return reply;
  };

/** Removes parameters from the call. */
export const stripped =
  (...names: string[]): Fault =>
  (carryOut, { params }) =>
    carryOut(Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name))));

/** Replaces the text at a place of an answer, counted through the whole answer, by one of 100 kB. Calls `isLast` behind the last place. */
export const longText =
  (place: number, isLast: () => void): Fault =>
  (carryOut) => {
    const reply = carryOut();
    let texts = 0;
    const body = JSON.stringify(
      JSON.parse(reply.body, (_, value: unknown) => (typeof value === 'string' && texts++ === place ? 'x'.repeat(100_000) : value)),
    );
    if (texts <= place) isLast();
    return { ...reply, body };
  };
