/** Funded account of the paper exchange, registered through the referral code. It is public. */
export const DEMO_ACCOUNT = { key: 'paper-demo-key', secret: 'paper-demo-secret' } as const;
