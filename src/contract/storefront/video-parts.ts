// The landing page's script imports this file, which must not import zod.
/** The two videos of the landing page: the benefits, and how to get the book. */
export const videoKeys = ['benefits', 'how-to-get'] as const;
export type VideoKey = (typeof videoKeys)[number];

/** The files of a video that an owner may replace. */
export const videoParts = ['film', 'captions-en', 'captions-hi'] as const;
export type VideoPart = (typeof videoParts)[number];

export const defaultVideoSeconds: Readonly<Record<VideoKey, number>> = { benefits: 36, 'how-to-get': 36 };

/**
 * Path for the upload of a part into the draft (field `file`; `?version=` of the draft's field `videos.<key>`). Responds
 * with the field as `saveField` does. FILM_REFUSED, STALE.
 */
export function videoUploadPath(key: VideoKey, part: VideoPart): string {
	return `/api/storefront/videos/${key}/${part}`;
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
	/** Whether it is the product's own video, whose poster is drawn. */
	isDefault: boolean;
}
/** Null for a video that is not shown. */
export type LandingVideos = Readonly<Record<VideoKey, LandingVideo | null>>;
