import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { chatImages } from '#server/db/schema/chat.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** Creates a user with more data than fits into the buffers. */
export async function bigUser(server: TestServer): Promise<SignedUp> {
  const who = await server.signUp();
  const { put } = openBlobs(server.config);
  for (let at = 0; at < 4; at++) {
    const noise = Buffer.alloc(8 * 2 ** 20, randomUUID());
    const { hash, size } = await put(noise);
    const picture = { type: 'image/png', hash, size, width: 1, height: 1 };
    await server.db.insert(chatImages).values({ userId: who.user.id, id: randomUUID(), ...picture });
  }
  return who;
}

/** Starts an export and stops reading after the first bytes. */
export function slowReader(server: Pick<TestServer, 'url'>, { authorization, user }: SignedUp): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    http
      .get(`${server.url}/api/user/${user.id}/export`, { headers: { authorization }, agent: false }, (response) => {
        response.on('error', () => undefined);
        // Read up to the first picture before pausing.
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > 2 ** 20) {
            response.removeAllListeners('data').pause();
            resolve(response);
          }
        });
      })
      .on('error', reject);
  });
}
