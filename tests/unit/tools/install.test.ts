import { expect, test } from 'vitest';
import { npmScript } from '#tools/install.mjs';

test('npm runs by the script that started this process', () => {
  expect(npmScript({ env: { npm_execpath: '/usr/lib/npm-cli.js' }, platform: 'linux' })).toBe('/usr/lib/npm-cli.js');
  expect(npmScript({ env: { npm_execpath: '/usr/bin/pnpm.cjs' }, platform: 'linux' })).toBeUndefined();
});

test('Windows, which cannot start npm without a shell, finds the script beside Node', () => {
  const execPath = 'C:\\Program Files\\nodejs\\node.exe';
  expect(npmScript({ env: {}, platform: 'win32', execPath })).toBe('C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js');
  expect(npmScript({ env: {}, platform: 'linux' })).toBeUndefined();
});
