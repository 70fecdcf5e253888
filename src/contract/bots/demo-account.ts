/** The funded account of the paper exchange, registered through the referral code (docs/decisions.md). No secret: anybody may use it. */
export const DEMO_ACCOUNT = { key: 'paper-demo-key', secret: 'paper-demo-secret' } as const;
