// The landing page's script imports this file, which must not import zod.
/** The two videos of the landing page: the benefits, and how to get the book. */
export const videoKeys = ['benefits', 'how-to-get'] as const;
export type VideoKey = (typeof videoKeys)[number];

/** The files of a video that an owner may replace. */
export const videoParts = ['film', 'captions-en', 'captions-hi'] as const;
export type VideoPart = (typeof videoParts)[number];

export const defaultVideoSeconds: Readonly<Record<VideoKey, number>> = { benefits: 36, 'how-to-get': 36 };

/** Path for the upload of a part (field `file`, `?version=` of the settings). FILM_REFUSED, STALE. */
export function videoPartPath(film: VideoKey, part: VideoPart): string {
	return `/api/settings/films/${film}/${part}`;
}

export function videoPagePath(film: VideoKey): string {
	return `/film/${film}`;
}

export interface LandingVideo {
	src: string;
	seconds: number;
	captions: Array<{ language: 'en' | 'hi'; src: string }>;
	/** Title in the page's language; empty for the product's own title. */
	title: string;
}
export type LandingVideos = Readonly<Record<VideoKey, LandingVideo>>;
