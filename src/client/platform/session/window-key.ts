/** sessionStorage key: the id that ties a session to this window. The worker has no sessionStorage. */
export const WINDOW_KEY = 'tidemark:window';
