import type { Fault, Reply } from '../bybit/faults.ts';

/** OKX answers a refused key with 401. */
const isAboutKey = (code: number): boolean => code >= 50_100 && code < 50_120;

export const envelope = (data: readonly unknown[]): Reply => ({ status: 200, body: JSON.stringify({ code: '0', msg: '', data }) });

/** A refusal of the request itself, or of the one operation in it. */
export function refusal(code: number, message: string): Reply {
  if (code < 51_000 || code >= 60_000)
    return { status: isAboutKey(code) ? 401 : 200, body: JSON.stringify({ code: String(code), msg: message, data: [] }) };
  const data = [{ ordId: '', clOrdId: '', sCode: String(code), sMsg: message }];
  return { status: 200, body: JSON.stringify({ code: '1', msg: 'All operations failed', data }) };
}

/** Skips the call and refuses it. */
export const refusedByOkx =
  (code: number, message = ''): Fault =>
  () =>
    refusal(code, message);

/** Executes the call and answers with a refusal. */
export const doneButRefusedByOkx =
  (code: number, message = ''): Fault =>
  (carryOut) => {
    carryOut();
    return refusal(code, message);
  };

// biome-ignore lint/suspicious/noExplicitAny: rows of any list, as JSON gives them
type Row = any;

/** Changes the rows in an answer. */
export const rowsChanged =
  (change: (rows: Row[]) => Row[]): Fault =>
  (carryOut) => {
    const reply = carryOut();
    const answer = JSON.parse(reply.body) as { data: Row[] };
    return { ...reply, body: JSON.stringify({ ...answer, data: change(answer.data) }) };
  };
