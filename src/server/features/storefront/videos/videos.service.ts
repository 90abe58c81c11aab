import type { Locale } from '#contract/core/text.ts';
import type { DraftField } from '#contract/storefront/content.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import {
	defaultVideoSeconds,
	type LandingVideo,
	type LandingVideos,
	type VideoKey,
	type VideoPart,
} from '#contract/storefront/video-parts.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { changeField, getDraftField } from '../content/content.service.ts';
import { insertFile } from '../content-files/content-files.queries.ts';
import type { BuiltInVideos } from './built-in-videos.ts';
import { sanitizeCaptions } from './captions.ts';
import { readVideoFile, rejectUpload } from './video-file.ts';

/** Returns the videos for visitors: the owner's, the built-in ones, or none. */
export function presentVideos(content: Content, builtIn: BuiltInVideos, locale: Locale): LandingVideos {
	return {
		benefits: presentVideo('benefits', content, builtIn, locale),
		'how-to-get': presentVideo('how-to-get', content, builtIn, locale),
	};
}

function presentVideo(key: VideoKey, content: Content, builtIn: BuiltInVideos, locale: Locale): LandingVideo | null {
	const { source, film, captions, title } = content[`videos.${key}`];
	if (source === 'none' || (source === 'own' && film === null)) return null;
	const ownFilm = source === 'own' ? film : null;
	const builtInUrl = (file: string) => builtIn.urls.get(file) ?? '';
	// The built-in captions fit only the built-in video.
	const captionsIn = (language: Locale) => {
		const ownCaptions = captions[language];
		if (ownCaptions !== null) return [{ language, src: storedFileUrl(ownCaptions) }];
		return ownFilm === null ? [{ language, src: builtInUrl(`${key}.${language}.vtt`) }] : [];
	};
	return {
		src: ownFilm === null ? builtInUrl(`${key}.mp4`) : storedFileUrl(ownFilm),
		seconds: ownFilm?.seconds ?? defaultVideoSeconds[key],
		captions: content.languages.flatMap(captionsIn),
		title: title[locale],
		isDefault: ownFilm === null,
	};
}

function storedFileUrl({ blobId }: { blobId: string }): string {
	return `/api/films/${blobId}`;
}

/**
 * Validates an uploaded file, and stores it in the draft.
 * @throws AppError FILM_REFUSED, STALE, STORAGE_FULL, STORAGE_UNAVAILABLE
 */
export async function saveVideoPart(
	deps: Deps,
	caller: Caller,
	{ key, part, version }: { key: VideoKey; part: VideoPart; version: number },
	file: { name: string; bytes: Buffer },
): Promise<DraftField> {
	const field = `videos.${key}` as const;
	// `changeField` checks the version again. This check avoids storing a large file in vain.
	if ((await getDraftField(deps, field)).version !== version) throw new AppError('STALE');
	const { bytes, contentType, seconds } = part === 'film' ? await parseVideo(file.bytes) : parseCaptions(file.bytes);
	const id = newId();
	const storedFile = { blobId: id, name: file.name.slice(-200), sizeBytes: bytes.length };
	const storageKey = `films/${newId()}-${toKeySegment(file.name)}`;
	await requireFreeSpace(deps.storage, bytes.length);
	const stored = await deps.storage.put(storageKey, bytes);
	await changeField(deps, caller, { field, version }, async (current, tx): Promise<Content['videos.benefits']> => {
		const blob = { id, name: 'file', storageKey, ...stored, contentType };
		const kind = part === 'film' ? 'video' : 'captions';
		await insertFile(tx, { id, kind, width: null, height: null, blobs: [blob] }, isoAt(deps.clock));
		if (part === 'film') return { ...current, source: 'own', film: { ...storedFile, seconds } };
		return { ...current, captions: { ...current.captions, [part === 'captions-hi' ? 'hi' : 'en']: storedFile } };
	});
	return getDraftField(deps, field);
}

async function parseVideo(bytes: Buffer) {
	const { contentType, seconds } = await readVideoFile(bytes);
	return { bytes, contentType, seconds: Math.max(1, Math.round(seconds)) };
}

function parseCaptions(bytes: Buffer) {
	const captions = sanitizeCaptions(bytes);
	if (captions === null) throw rejectUpload('error_captions_not_vtt');
	return { bytes: Buffer.from(captions), contentType: 'text/vtt; charset=utf-8', seconds: 0 };
}
