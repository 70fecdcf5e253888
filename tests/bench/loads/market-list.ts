import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { median } from '../median.ts';
import { drive } from './drive.ts';

const ROUNDS = 5;
const ROUND_MS = 1000;
/** Each user may send 1200 requests a minute, so the load comes from many users. */
const USERS = 120;
const PATH = '/api/coin-market/get-data';

/** Returns the client address of a user, from RFC 2544's range for benchmarks. */
const addressOf = (user: number) => `198.18.${user >> 8}.${user & 255}`;

async function signIn(app: RunningApp, user: number): Promise<string> {
  const person = { email: `bench${user}@example.com`, password: 'Secret1!' };
  async function post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': addressOf(user) };
    const response = await fetch(`${app.url}/api/auth/${path}/`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }
  await post('register', { first_name: 'Ada', last_name: 'Byron', country: '', ...person });
  await post('verify-otp', { email: person.email, recoveryCode: await app.readCode(person.email) });
  return z.parse(tokensAnswer, await post('login', person)).data.accessToken;
}

/** Returns the compressed body of the list. */
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

/** Returns the same request of each user, as bytes. */
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
        `x-forwarded-for: ${addressOf(n)}`,
        ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
      ].join('\r\n')}\r\n\r\n${body}`,
    ),
  );
}

/** Loads the cached list and a bare node:http server in turn; returns lines to print. */
export async function marketListBench(): Promise<string[]> {
  const app = await startApp({ TRUST_PROXY: 'on', MARKET_TICK_MS: '3600000' });
  let raw: Awaited<ReturnType<typeof startRaw>> | undefined;
  try {
    const tokens: string[] = [];
    for (let user = 0; user < USERS; user++) tokens.push(await signIn(app, user));
    const token = tokens[0] ?? '';
    const body = await packed(`${app.url}${PATH}`, { authorization: `Bearer ${token}`, 'accept-encoding': 'br' });
    raw = await startRaw(body);
    const lines: string[] = [];
    for (const method of ['GET', 'POST'] as const) {
      const asked = requests(method, tokens);
      const ours: number[] = [];
      const least: number[] = [];
      // Warm-up: looks up each token and compiles both servers' hot code.
      for (const port of [Number(new URL(app.url).port), raw.port]) await drive(port, asked, ROUND_MS, 10 * USERS);
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await drive(Number(new URL(app.url).port), asked, ROUND_MS));
        least.push(await drive(raw.port, asked, ROUND_MS));
      }
      const [app_, bare] = [median(ours), median(least)];
      lines.push(
        `${method} of the market list from the cache (${(body.length / 1000).toFixed(1)} kB): ${app_.toFixed(0)}/s, node:http alone ${bare.toFixed(0)}/s, ratio ${(app_ / bare).toFixed(2)}`,
      );
    }
    return lines;
  } finally {
    raw?.process.kill();
    await app.remove();
  }
}
