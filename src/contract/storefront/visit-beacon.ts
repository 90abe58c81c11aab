/** Path to which the landing page reports a visit; here without zod, for the page's small script. */
export const visitsPath = '/api/visits';

/** Paths of the landing page in each language. */
export const visitPages = ['/', '/?lang=hi'] as const;
export type VisitPage = (typeof visitPages)[number];

/** What the page reports: that it was opened, and that the visitor began to fill in the purchase form. */
export const visitEvents = ['visit', 'form'] as const;
export type VisitEvent = (typeof visitEvents)[number];

/** Report that the page sends. */
export interface VisitBeacon {
	event: VisitEvent;
	page: VisitPage;
	/** Origin of the referring page; '' without one, or for this site's own. */
	referrer: string;
}
