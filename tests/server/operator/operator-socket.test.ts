import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { socketIn } from '#server/operator/socket-path.ts';
import { createLog } from '#tests/support/server/leaks.ts';
import { startServer } from '#tests/support/server/server.ts';

test('a process that only looks whether the operator socket is open is no error', async () => {
  const log = createLog();
  const server = await startServer({ env: { LOG_LEVEL: 'info' }, logTo: log });
  for (const sent of ['', 'no command\n']) {
    const socket = net.connect(socketIn(server.dataDir));
    socket.end(sent);
    socket.resume();
    await once(socket, 'close');
    expect(log.text().includes('operator command failed')).toBe(sent !== '');
  }
  await server.close();
});
