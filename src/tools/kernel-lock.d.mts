export function takeLock(name: string, file: string): Promise<(() => Promise<void>) | undefined>;
