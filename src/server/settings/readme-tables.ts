import { SETTINGS, type Setting } from './settings.ts';

const HEAD = ['Setting', 'Default', 'Secret', 'What it does'];

/** Returns the README's Markdown table of the server's settings, or of those that the client build reads. */
export function settingsTable(which: 'server' | 'client'): string {
  const settings = Object.entries<Setting>(SETTINGS).filter(([, { isClient = false }]) => isClient === (which === 'client'));
  const rows = settings.map(([name, setting]) => [`\`${name}\``, shownDefault(setting), setting.isSecret ? 'yes' : '', setting.purpose]);
  const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const shownDefault = ({ shown, default: value }: Setting): string => shown ?? `\`${value}\``;

/** Replaces the tables between the README's `settings:` markers. Throws where a marker is missing. */
export function withSettingsTables(readme: string): string {
  return (['server', 'client'] as const).reduce((text, which) => {
    const [start, end] = [`<!-- settings:${which} -->\n`, `\n<!-- /settings:${which} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`README.md has no ${start.trim()} … ${end.trim()}`);
    return `${text.slice(0, from + start.length)}\n${settingsTable(which)}\n${text.slice(to)}`;
  }, readme);
}

/** Returns the text of `.env.example`: each setting with its purpose, commented out. */
export function envExample(): string {
  const settings = Object.entries<Setting>(SETTINGS).map(([name, { purpose, shown, default: value }]) => {
    const given = shown === undefined ? String(value) : '';
    return `# ${purpose}.${shown === undefined ? '' : ` Default: ${shown}.`}\n# ${name}=${/\s/.test(given) ? `"${given}"` : given}\n`;
  });
  return [
    '# Copy this file to .env, remove the # of what you change, and run: node --env-file=.env src/tools/start.mjs\n',
    ...settings,
  ].join('\n');
}
