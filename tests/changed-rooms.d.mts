export const ROOMS: Record<string, string[]>;
export function roomsOf(path: string): string[] | undefined;
