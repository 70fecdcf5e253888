import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withoutCoreFiles } from '#tools/server-process.mjs';

test('Windows and systems without a shell run the program itself', () => {
  const itself = { command: 'node', args: ['serve.mjs'] };
  expect(withoutCoreFiles('node', ['serve.mjs'], { platform: 'win32' })).toEqual(itself);
  expect(withoutCoreFiles('node', ['serve.mjs'], { platform: 'linux', shell: '/no/such/shell' })).toEqual(itself);
});

test.skipIf(process.platform === 'win32')('a shell passes arguments on unchanged and is replaced by the program', () => {
  const { command, args } = withoutCoreFiles(process.execPath, ['-p', 'process.argv[1]', "a b 'c' $HOME"]);
  expect(execFileSync(command, args, { encoding: 'utf8' })).toBe("a b 'c' $HOME\n");
  const own = withoutCoreFiles('/bin/sh', ['-c', 'echo $$']);
  expect(execFileSync('/bin/sh', ['-c', 'echo $$; exec "$0" "$@"', own.command, ...own.args], { encoding: 'utf8' })).toMatch(
    /^(\d+)\n\1\n$/,
  );
});
