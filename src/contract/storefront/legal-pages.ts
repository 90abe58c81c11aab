/** The pages of fine print, by the last part of their address. In a file without zod, for what draws pages. */
export const legalPages = ['privacy', 'terms', 'refund'] as const;
export type LegalPage = (typeof legalPages)[number];
