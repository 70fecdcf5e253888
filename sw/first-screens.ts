import { DEVICE_DB } from '../src/client/platform/db/db-names.ts';
import type { ScreenRow, SessionRow } from '../src/client/platform/db/device-db.ts';
import { openExisting } from '../src/client/platform/db/open-existing.ts';

/** Another tab may upgrade the database: then the app starts without a stored screen, ms. */
const READ_LIMIT = 500;

/** The main script, and what loads with it: Vite's preloads and the script of the first request. */
const MAIN_SCRIPT = /<script type="module"[^>]*\ssrc="(\/assets\/[\w.-]+)"[^>]*><\/script>/;
const COMPANIONS = /<link rel="modulepreload"[^>]*>\s*|<script src="\/assets\/[^>]*><\/script>\s*/g;
const BODY = '<div id="root">';
/** Draws no frame without the whole screen. Browsers that do not know it may draw one with a part. */
const WHOLE_FRAME = '<link rel="expect" href="#root" blocking="render">';

const TOKEN = /^[\w-]{1,64}$/;

/**
 * Answers with the shell, and in it the stored first screen of this address, if there is one of the device's remembered
 * session and of this build. The head is sent before the screen has been read, so that the stylesheet loads meanwhile.
 */
export async function withFirstScreen(shell: Promise<Response>, address: string): Promise<Response> {
  const reading = readScreen(address);
  const response = await shell;
  const html = await response.clone().text();
  const parts = shellParts(html);
  if (!parts) return response;
  const { head, main, build, body } = parts;
  const text = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(text.encode(head));
      const screen = await reading;
      const fits = screen !== undefined && screen.build === build;
      controller.enqueue(text.encode(fits ? drawn(screen, body) : main + body));
      controller.close();
    },
  });
  return new Response(stream, { headers: pageHeaders(response.headers) });
}

/** Splits the shell: the head without scripts of the app, these scripts, and the rest. */
function shellParts(html: string): { head: string; main: string; build: string; body: string } | undefined {
  const end = html.indexOf('</head>');
  const wholeHead = html.slice(0, end);
  const script = MAIN_SCRIPT.exec(wholeHead);
  if (end < 0 || !script || !html.includes(BODY)) return undefined;
  const [tag, build = ''] = script;
  const companions = wholeHead.match(COMPANIONS) ?? [];
  const head = wholeHead
    .replace(COMPANIONS, '')
    .replace(tag, `${WHOLE_FRAME}<script src="/first-screen.js" data-main="${build}"></script>`);
  return { head, main: tag + companions.join(''), build, body: html.slice(end) };
}

function drawn({ html, theme, width, zone, sessionId, savedAt }: ScreenRow, body: string): string {
  const fit = `data-theme="${theme}" data-width="${width}" data-zone="${zone}"`;
  const open = `<div id="first-screen" ${fit} data-session="${sessionId}" data-stored-at="${Number(savedAt)}">`;
  const [before, after] = split(body, BODY);
  return `${before}${open}${html}</div>${BODY}${after}`;
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** The shell's headers: they hold the content policy. Those of its stored bytes do not apply, and the app starts late. */
function pageHeaders(shell: Headers): Headers {
  const headers = new Headers(shell);
  for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified', 'link']) headers.delete(name);
  return headers;
}

/** Reads the screen of an address, in one transaction with the session that it must belong to. */
function readScreen(address: string): Promise<ScreenRow | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, READ_LIMIT));
  // Without Dexie, whose code would start the worker later. A database of an earlier version has no screens.
  return Promise.race([openExisting(DEVICE_DB).then((db) => db && readRows(db, address)), late]).catch(() => undefined);
}

function readRows(db: IDBDatabase, address: string): Promise<ScreenRow | undefined> {
  return new Promise((resolve) => {
    try {
      const reading = db.transaction(['session', 'screens'], 'readonly');
      const session: IDBRequest<SessionRow | undefined> = reading.objectStore('session').get('current');
      const screen: IDBRequest<ScreenRow | undefined> = reading.objectStore('screens').get(address);
      reading.oncomplete = () => resolve(belongs(session.result, screen.result) ? screen.result : undefined);
      reading.onabort = () => resolve(undefined);
    } finally {
      db.close(); // after the transaction
    }
  });
}

/** Returns whether a screen is of this session, which is remembered. */
const belongs = (session: SessionRow | undefined, screen: ScreenRow | undefined): boolean =>
  session?.window === null && session.sessionId !== undefined && screen?.sessionId === session.sessionId && isWellFormed(screen);

const isWellFormed = ({ theme, width, zone, sessionId }: ScreenRow): boolean =>
  [theme, width, zone, sessionId].every((value) => TOKEN.test(value));
