// `node src/tools/image.mjs FOLDER`: lays out what a container runs, after `npm run build`: the built app and the packages of the server.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { bundle } from './build/build-server.mjs';
import { at } from './root.mjs';

const [folder] = process.argv.slice(2);
if (!folder || existsSync(folder)) {
  console.error('Call: node src/tools/image.mjs FOLDER, with a folder that does not exist.');
  process.exit(2);
}

/** What no program reads: types, sources, maps and texts of packages. Licenses stay. */
const UNREAD = /\.(map|md|markdown|tsbuildinfo|[cm]?ts)$|(^|\/)(build\/(esm|esnext)|\.bin|test|tests|docs)$/;
/** Source maps of our own builds, also compressed ones. PostgreSQL has files that end in `.map` too. */
const SOURCE_MAP = /\.(js|css)\.map(\.br|\.gz)?$/;
/** Packages that are loaded by a computed name (src/server/ports/load-ccxt.ts). */
const BY_NAME = ['ccxt'];
/** Builds of ccxt for browsers and older modules, and its other languages, are beside `js`. */
const OTHER_CCXT = /^(?!js(\/|$)|package\.json$|LICENSE)./;

const { packages: lock } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));

/** Returns the packages that the server's programs import. */
async function importedPackages() {
  const { metafile } = await build({ ...bundle(at('dist/image')), write: false, metafile: true });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.filter(({ external }) => external));
  return new Set(imports.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter((name) => lock[`node_modules/${name}`]));
}

/** Finds a package as Node does: beside the one that needs it, or in a folder above. */
function find(from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const path = `${place ? `${place}/` : ''}node_modules/${name}`;
    if (lock[path]) return path;
    if (!place) return undefined;
  }
}

/** Adds a package's folder and those of all that it needs. Optional packages of other platforms are not installed. */
function addWithNeeds(path, found) {
  if (!path || found.has(path) || path.startsWith('node_modules/@types/') || !existsSync(at(path))) return;
  found.add(path);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = lock[path];
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) addWithNeeds(find(path, name), found);
}

function isRead(path, packageName) {
  const name = path.replaceAll('\\', '/');
  return !UNREAD.test(name) && !(packageName === 'node_modules/ccxt' && OTHER_CCXT.test(name));
}

const found = new Set();
for (const name of [...(await importedPackages()), ...BY_NAME]) addWithNeeds(find('', name), found);
for (const path of found) {
  const inner = at(path, 'node_modules');
  cpSync(at(path), join(folder, path), { recursive: true, filter: (from) => from !== inner && isRead(relative(at(path), from), path) });
}
for (const part of ['client', 'server'])
  cpSync(at('dist', part), join(folder, 'dist', part), { recursive: true, filter: (from) => !SOURCE_MAP.test(from) });
const { name, version, license, type } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, license, type, private: true }, null, 2)}\n`);
// Every user may read the files, and root alone may change them: those of the empty database have other rights.
for (const entry of [folder, ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path))]) {
  const { mode } = statSync(entry);
  chmodSync(entry, mode & 0o111 ? 0o755 : 0o644);
}
