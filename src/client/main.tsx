import './platform/router/url-guard.ts';
import './ui/tokens.css';
import './ui/base.css';
import { boot } from './app/boot.tsx';

void boot();
