/** Paths that the server answers. The service worker's navigation fallback must skip them, so they are part of the contract. */
export const API_PREFIX = '/api';
export const SOCKET_PATH = '/socket.io';
export const MAILBOX_PATH = '/mailbox';
/** Answers while the process lives. */
export const HEALTH_PATH = '/healthz';
/** Answers whether a proxy may send requests to the process. */
export const READY_PATH = '/readyz';
/** The charting provider's widget, on a page without our origin. */
export const CHART_FRAME_PATH = '/chart-frame';

export const SERVER_PATHS = [API_PREFIX, SOCKET_PATH, MAILBOX_PATH, HEALTH_PATH, READY_PATH, CHART_FRAME_PATH] as const;

/** Query parameter with the hash of a file whose name has none. Workbox named it, in the keys of caches that devices have. */
export const REVISION = '__WB_REVISION__';

/** Set while the user has chosen an appearance. Then the server sends the page that waits for it before its first paint. */
export const THEME_COOKIE = 'theme';
