/** Why the server cannot start, in one line for the person who started it. Never holds a secret. */
export class StartupError extends Error {}
