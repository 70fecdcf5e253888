export function brokenImportRules(base: string): Promise<string[]>;
export const ruleNames: readonly string[];
