/** What may go wrong between a client and Bybit, each as a thing that stands between a call and its answer. */
import type { Venue } from './venue.ts';

export interface Call {
  /** Without `/v5/`: `order/create`. */
  path: string;
  params: Readonly<Record<string, unknown>>;
  /** The account behind the key; undefined for public calls. */
  venue: Venue | undefined;
  /** What the call of this path before it was answered. */
  before: Reply | undefined;
}

export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
}

/** `reset`: the connection breaks. `silence`: it stays open, and nothing comes. */
export type Fault = (carryOut: (changed?: Call['params']) => Reply, call: Call) => Reply | 'reset' | 'silence';

export const envelope = (retCode: number, retMsg: string, result: unknown, time: number): Reply => ({
  status: 200,
  body: JSON.stringify({ retCode, retMsg, result, retExtInfo: {}, time }),
});

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

/** An answer that is none of the exchange's program, instead of what was asked for. */
export const instead =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  () => ({ status, body, headers });

/** The same after it was done. */
export const doneBut =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (carryOut) => {
    carryOut();
    return { status, body, headers };
  };

export const refused =
  (code: number, message: string, headers: Record<string, string> = {}): Fault =>
  () => ({ ...envelope(code, message, {}, 0), headers });

/** Done, and told as something else. */
export const doneButRefused =
  (code: number, message: string): Fault =>
  (carryOut) => {
    carryOut();
    return envelope(code, message, {}, 0);
  };

/** Half of the answer. */
export const truncated: Fault = (carryOut) => {
  const reply = carryOut();
  return { ...reply, body: reply.body.slice(0, reply.body.length / 2) };
};

/** As it was answered the last time. */
export const stale: Fault = (carryOut, { before }) => before ?? carryOut();

/** The list of an answer, changed. */
export const listChanged =
  (change: (list: Row[]) => Row[]): Fault =>
  (carryOut) => {
    const reply = carryOut();
    const answer = JSON.parse(reply.body) as { result: { list: Row[] } };
    answer.result.list = change(answer.result.list);
    return { ...reply, body: JSON.stringify(answer) };
  };

// biome-ignore lint/suspicious/noExplicitAny: rows of any list, as JSON gives them
type Row = any;

/** Something happens to the account or to the client first, or right after. */
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

/** Parameters get lost on the way. */
export const stripped =
  (...names: string[]): Fault =>
  (carryOut, { params }) =>
    carryOut(Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name))));
