/** The two films of the landing page: of the benefits, and of how to get the book. */
export const videoKeys = ['benefits', 'how-to-get'] as const;
export type VideoKey = (typeof videoKeys)[number];

/** The files of a film that an owner may replace. */
export const videoParts = ['film', 'captions-en', 'captions-hi'] as const;
export type VideoPart = (typeof videoParts)[number];

/** How long the product's own films last. */
export const defaultVideoSeconds: Readonly<Record<VideoKey, number>> = { benefits: 36, 'how-to-get': 36 };

/**
 * Multipart upload of a part (field `file`, `?version=` of the settings it replaces). Admins only; answers
 * `{version}`. FILM_REFUSED with `fields.file`, STALE.
 */
export function videoPartPath(film: VideoKey, part: VideoPart): string {
	return `/api/settings/films/${film}/${part}`;
}

/** The page on which a film can be watched without script. */
export function videoPagePath(film: VideoKey): string {
	return `/film/${film}`;
}

/** A film as visitors are shown it. */
export interface LandingVideo {
	src: string;
	seconds: number;
	captions: Array<{ language: 'en' | 'hi'; src: string }>;
	/** In the page's language; empty for the product's own words. */
	title: string;
}
export type LandingVideos = Readonly<Record<VideoKey, LandingVideo>>;
