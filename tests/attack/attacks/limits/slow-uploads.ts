import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { openTcp } from '#tests/attack/raw-socket.ts';

const MB = 1024 * 1024;
const UPLOADS = 40;
const PICTURE = 8 * MB;
/** Bytes sent of each upload before it stalls. */
const SENT = PICTURE - MB;
/** Limits on uploads in flight, of a user and of the process. */
const MAX_BY_USER = 2;
const MAX_BY_PROCESS = 20;
const HALF_OPEN = 200;
/** Time for a busy server to refuse the rest, ms. */
const REFUSED_WITHIN_MS = 8_000;

/** Starts an upload that never finishes. Resolves with its connection once it stalls or is refused. */
async function beginUpload(url: string, token: string | undefined, from: string): Promise<{ tcp: Socket; answer: () => string }> {
  const tcp = await openTcp(url);
  let answer = '';
  tcp.on('data', (chunk) => {
    if (answer.length < 1_000) answer += chunk.toString('latin1');
  });
  const head = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  tcp.write(
    [
      'POST /api/chat/images HTTP/1.1',
      'Host: localhost',
      ...(token ? [`Authorization: Bearer ${token}`] : []),
      `X-Forwarded-For: ${from}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${PICTURE}`,
      '',
      head,
    ].join('\r\n'),
  );
  const piece = Buffer.alloc(256 * 1024, 1);
  for (let sent = 0; sent < SENT && !tcp.destroyed && answer === ''; sent += piece.length) {
    tcp.write(piece);
    for (let waited = 0; waited < 400 && tcp.writableNeedDrain && !tcp.destroyed && answer === ''; waited++) await pause(5);
  }
  return { tcp, answer: () => answer };
}

export const slowUploads: Attack = {
  name: 'unfinished uploads',
  async run({ client, attackers, signal, isQuick }) {
    const uploads = await Promise.all(
      Array.from({ length: UPLOADS }, (_, index) =>
        beginUpload(client.url, attackers[index % 4]?.accessToken, addressIn(0x300 + (index % 4), index)),
      ),
    );
    const strangers = await Promise.all(Array.from({ length: 10 }, (_, index) => beginUpload(client.url, undefined, addressIn(4, index))));
    // Requests with endless headers.
    const halves = await Promise.all(
      Array.from({ length: HALF_OPEN }, async () => {
        const tcp = await openTcp(client.url);
        tcp.write('POST /api/chat/images HTTP/1.1\r\nHost: localhost\r\nX-A: ');
        return tcp;
      }),
    );
    await pause(isQuick ? 500 : 5_000, undefined, { signal }).catch(() => undefined);
    const isHeldOpen = ({ tcp, answer }: (typeof uploads)[number]) => !tcp.destroyed && answer() === '';
    const open = (begun: typeof uploads) => begun.filter(isHeldOpen).length;
    const most = Math.min(MAX_BY_PROCESS, 4 * MAX_BY_USER);
    for (let waited = 0; waited < REFUSED_WITHIN_MS && !signal.aborted && open(uploads) + open(strangers) > most; waited += 100)
      await pause(100);
    const [held, unknown] = [open(uploads), open(strangers)];
    for (const { tcp } of [...uploads, ...strangers]) tcp.destroy();
    for (const tcp of halves) tcp.destroy();
    return {
      tries: UPLOADS + strangers.length + HALF_OPEN,
      isHeld: held <= most && unknown === 0,
      evidence: `${held} of ${UPLOADS} uploads of 4 users held open, ${unknown} without a session`,
    };
  },
};
