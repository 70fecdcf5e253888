export function npmScript(system?: { env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform; execPath?: string }): string | undefined;
export function ensureInstalled(): Promise<void>;
