import { spawnSync } from 'node:child_process';
import { run } from '#tools/run.mjs';
import { findProgram } from '../processes/find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Of a command line's lists of features the last one counts, so Playwright's own choice for tests is said again with ours. */
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
  // Pages of their own behind every window's address bar, which nobody sees: a sixth of the processor time of a test.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Keeps the browser to the pages it is shown: no calls home, and TCP so that "offline" means offline. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/** The path of Chromium: `CHROMIUM` when set, else the first one on the PATH; undefined when there is none. */
export const findChromium = () => process.env.CHROMIUM || findProgram(NAMES);

/** Installs Debian's Chromium where there is none. Throws when that is not possible either. */
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
