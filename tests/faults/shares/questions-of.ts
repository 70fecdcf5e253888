import { tokensAnswer } from '#contract/account/tokens.ts';
import type { Person } from '#tests/support/browser/main-path.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';

/** Access tokens, because logins are limited. */
const tokens = new WeakMap<Person, Promise<string>>();

async function logIn(app: RunningApp, { email, password }: Person): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${app.url}/api/auth/login/`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  return tokensAnswer.parse(await login.json()).data.accessToken;
}

/** Returns all questions that the server has of a user. */
export async function questionsOf(app: RunningApp, person: Person): Promise<string[]> {
  const known = tokens.get(person) ?? logIn(app, person);
  tokens.set(person, known);
  const accessToken = await known;
  const read = async <Row>(path: string): Promise<Row[]> => {
    const response = await fetch(`${app.url}/api${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return ((await response.json()) as { data: Row[] }).data;
  };
  const { sub } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const archives = await read<{ id: string }>(`/user/${sub}/archives`);
  const chats = await Promise.all(archives.map(({ id }) => read<{ user_message: string }>(`/archive/${id}/chats`)));
  return chats.flat().map(({ user_message }) => user_message);
}
