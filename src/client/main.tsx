import './platform/router/url-guard';
import './ui/tokens.css';
import './ui/base.css';
import { boot } from './app/boot';

void boot();
