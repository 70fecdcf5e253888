export function brokenMigrationRules(base: string): string[];
