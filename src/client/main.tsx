import './platform/router/url-guard.ts';
import './ui/theme/tokens.css';
import './ui/theme/base.css';
import { boot } from './app/boot.tsx';

void boot();
