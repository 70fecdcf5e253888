export const sourceRuleNames: string[];
export function brokenSourceRules(base: string, exceptions?: Record<string, string[]>): string[];
