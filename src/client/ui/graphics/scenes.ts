import type { Drawing } from './illustration.tsx';

// Drawings that the first screen does not need.
export const SPEECH: Drawing = [
  'M22 24h50a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10H46L30 80V66h-8a10 10 0 0 1-10-10V34a10 10 0 0 1 10-10Z',
  'M92 46h6a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10h-4v12L80 86H66M28 46c6 6 11 6 16 0s11-6 16 0',
];
export const SEARCH: Drawing = ['M52 18a32 32 0 1 1 0 64 32 32 0 0 1 0-64ZM76 74l26 26', 'M32 52c7 7 13 7 20 0s13-7 20 0'];
