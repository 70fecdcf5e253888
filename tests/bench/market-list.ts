import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { decodeJwt, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { tokensAnswer } from '#contract/account/account.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import { drive } from './drive.ts';
import { median } from './median.ts';

/** What issue 4 asks of a list from the cache, against node:http sending the same bytes. */
const LIMIT = 0.7;
const ROUNDS = 7;
const ROUND_MS = 1500;
/** Each token and each address may ask 1200 times a minute, so there are many callers (at RFC 2544's addresses for benchmarks). */
const CALLERS = 300;
const SECRET = 'a secret of the bench, and of nobody else';
const PATH = '/api/coin-market/get-data';

async function signIn(app: RunningApp): Promise<string> {
  const person = { email: 'bench@example.com', password: 'Secret1!' };
  async function post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/api/auth/${path}/`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }
  await post('register', { first_name: 'Ada', last_name: 'Byron', country: '', ...person });
  await post('verify-otp', { email: person.email, recoveryCode: await app.readCode(person.email) });
  return z.parse(tokensAnswer, await post('login', person)).data.accessToken;
}

/** The list's answer as it travels: compressed. */
async function packed(url: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => {
      if (response.headers['content-encoding'] !== 'br') reject(new Error(`the list came as ${response.headers['content-encoding']}`));
      resolve(Buffer.concat(await response.toArray()));
    }).on('error', reject);
  });
}

async function startRaw(body: Buffer): Promise<{ port: number; process: ChildProcess }> {
  const process_ = spawn(process.execPath, [fileURLToPath(new URL('./raw-server.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process_.stdin?.end(body);
  const [line] = await once(process_.stdout ?? process_, 'data');
  return { port: Number(String(line)), process: process_ };
}

/** More tokens of the same session: an app asks for a new one every quarter of an hour. */
function tokensLike(token: string): Promise<string[]> {
  const key = new TextEncoder().encode(SECRET);
  return Promise.all(
    Array.from({ length: CALLERS }, (_, n) =>
      new SignJWT({ ...decodeJwt(token), jti: String(n) }).setProtectedHeader({ alg: 'HS256' }).sign(key),
    ),
  );
}

/** The same request by many callers, as bytes. */
function requests(method: 'GET' | 'POST', tokens: readonly string[]): Buffer[] {
  const body = method === 'POST' ? JSON.stringify({ limit: 100, convert: 'USD', sortType: 1 }) : '';
  const path = method === 'GET' ? `${PATH}?limit=100&convert=USD&sortType=1` : PATH;
  return tokens.map((token, n) =>
    Buffer.from(
      `${[
        `${method} ${path} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${token}`,
        'accept: application/json',
        'accept-encoding: gzip, deflate, br',
        `x-forwarded-for: 198.18.${n >> 8}.${n & 255}`,
        ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
      ].join('\r\n')}\r\n\r\n${body}`,
    ),
  );
}

/** Serves the cached list to keep-alive callers, in turn with the raw server; answers with lines to print. */
export async function marketListBench(): Promise<string[]> {
  const app = await startApp({ TRUST_PROXY: 'on', MARKET_TICK_MS: '3600000', JWT_SECRET: SECRET });
  let raw: Awaited<ReturnType<typeof startRaw>> | undefined;
  try {
    const token = await signIn(app);
    const body = await packed(`${app.url}${PATH}`, { authorization: `Bearer ${token}`, 'accept-encoding': 'br' });
    raw = await startRaw(body);
    const tokens = await tokensLike(token);
    const lines: string[] = [];
    for (const method of ['GET', 'POST'] as const) {
      const asked = requests(method, tokens);
      const ours: number[] = [];
      const least: number[] = [];
      // Every token is looked up once, and both servers are warm.
      for (const port of [Number(new URL(app.url).port), raw.port]) await drive(port, asked, ROUND_MS, 10 * CALLERS);
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await drive(Number(new URL(app.url).port), asked, ROUND_MS));
        least.push(await drive(raw.port, asked, ROUND_MS));
      }
      const [app_, bare] = [median(ours), median(least)];
      const ratio = app_ / bare;
      lines.push(
        `${method} of the market list from the cache (${(body.length / 1000).toFixed(1)} kB): ${app_.toFixed(0)}/s, node:http alone ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (${ratio >= LIMIT ? 'within' : 'UNDER'} ${LIMIT})`,
      );
    }
    return lines;
  } finally {
    raw?.process.kill();
    await app.remove();
  }
}
