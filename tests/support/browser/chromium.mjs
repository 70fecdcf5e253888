import { spawnSync } from 'node:child_process';
import { run } from '#tools/run.mjs';
import { findProgram } from '../processes/find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium only reads the last --disable-features, so this list repeats Playwright's own. */
const withoutFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // A process that waits for the next page: a page of a test seldom has a next one.
  'SpareRendererForSitePerProcess',
  // Invisible pages behind the address bar, which take a sixth of a test's CPU time.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Disables background traffic, and QUIC, which Playwright's offline mode does not cut off. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/** Returns the path of Chromium: `CHROMIUM`, or the first one on the PATH, or undefined. */
export const findChromium = () => process.env.CHROMIUM || findProgram(NAMES);

/** Installs Debian's Chromium when there is none. Throws when that is not possible. */
export async function ensureChromium() {
  if (findChromium()) return;
  if (spawnSync('apt-get', ['--version']).error)
    throw new Error('No Chromium found: install it, or name it with CHROMIUM=/path/to/chromium.');
  console.log('Installing Chromium (once)…');
  const [command, ...args] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run(command, [...args, 'update'], { quiet: true, env });
  await run(command, [...args, 'install', '-y', '--no-install-recommends', 'chromium'], { quiet: true, env });
}
