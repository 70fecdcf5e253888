/** A reason why the server cannot start, in one line for the operator. Never contains a secret. */
export class StartupError extends Error {}
