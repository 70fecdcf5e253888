import './platform/page-cache.ts'; // first: its listener runs before the one with which Dexie closes the databases
import './platform/router/url-guard.ts';
import './ui/theme/tokens.css';
import './ui/theme/base.css';
import './ui/theme/modes.css';
import { boot } from './app/boot.tsx';

void boot();
