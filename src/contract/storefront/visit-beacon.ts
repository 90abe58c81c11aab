/** Where the landing page tells of a visit. In a file without zod, so that the page's small script can use it. */
export const visitsPath = '/api/visits';

/** The landing page by its language, as it is addressed. */
export const visitPages = ['/', '/?lang=hi'] as const;
export type VisitPage = (typeof visitPages)[number];

/** What the page tells of: that it stands, and that somebody began to fill in the purchase form. */
export const visitEvents = ['visit', 'form'] as const;
export type VisitEvent = (typeof visitEvents)[number];

/** What a page tells of itself. */
export interface VisitBeacon {
	event: VisitEvent;
	page: VisitPage;
	/** Origin of the page that led here, '' for none and for our own. */
	referrer: string;
}
