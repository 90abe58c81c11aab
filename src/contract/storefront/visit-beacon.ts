/** Path to which the landing page reports a visit. The page's script imports this file, which must not import zod. */
export const visitsPath = '/api/visits';

export const visitPages = ['/', '/?lang=hi'] as const;
export type VisitPage = (typeof visitPages)[number];

/** `visit`: the page was opened; `form`: the visitor began to fill in the purchase form. */
export const visitEvents = ['visit', 'form'] as const;
export type VisitEvent = (typeof visitEvents)[number];

export interface VisitBeacon {
	event: VisitEvent;
	page: VisitPage;
	/** Origin of the referring page; '' without a referrer, or for a page of this site. */
	referrer: string;
}
