export const allocator: Record<string, string>;
export const nodeFlags: string[];
export function withoutCoreFiles(
  program: string,
  args: string[],
  system?: { platform?: NodeJS.Platform; shell?: string },
): { command: string; args: string[] };
