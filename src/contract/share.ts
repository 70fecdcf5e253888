/** Where other apps post what is shared to this one. The worker answers it; the server does where no worker runs. */
export const SHARE_PATH = '/share';

/** Fields of the form, as the manifest names them. */
export const SHARE_FIELDS = { title: 'title', text: 'text', url: 'url', picture: 'picture' } as const;

/** Maximum bytes of a shared picture. */
export const MAX_SHARED_BYTES = 10 * 1024 * 1024;

/** Maximum characters of a shared text. */
export const MAX_SHARED_TEXT = 2000;

/** How long a share waits on the device for its user, ms. */
export const SHARE_LIFE_MS = 10 * 60_000;

/** Why something shared did not arrive in full. */
export const SHARE_PROBLEMS = ['size', 'storage', 'several', 'broken'] as const;
export type ShareProblem = (typeof SHARE_PROBLEMS)[number];

/** Query parameter of a new chat's address that names the problem. */
const PROBLEM = 'share';

/** Returns the address of the new chat that takes a share. */
export const shareAddress = (problem: ShareProblem | undefined): string => (problem ? `/chat?${PROBLEM}=${problem}` : '/chat');

/** Reads the problem in a new chat's address. */
export function shareProblemIn(search: string): ShareProblem | undefined {
  const named = new URLSearchParams(search).get(PROBLEM);
  return SHARE_PROBLEMS.find((problem) => problem === named);
}
