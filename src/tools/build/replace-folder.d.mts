export function replaceFolder(target: string, make: (draft: string) => Promise<void>): Promise<void>;
