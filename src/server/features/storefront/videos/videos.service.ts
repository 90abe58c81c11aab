import type { Locale } from '#contract/core/text.ts';
import type { DraftField } from '#contract/storefront/content.ts';
import type { Content, ContentValue } from '#contract/storefront/content-fields.ts';
import {
	defaultVideoSeconds,
	type LandingVideo,
	type LandingVideos,
	type VideoKey,
	type VideoPart,
	videoKeys,
} from '#contract/storefront/video-parts.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { changeField, getDraftField } from '../content/content.service.ts';
import { insertFile } from '../content-files/content-files.queries.ts';
import type { BuiltInVideos } from './built-in-videos.ts';
import { sanitizeCaptions } from './captions.ts';
import { readVideoFile, rejectUpload } from './video-file.ts';

type StoredVideo = ContentValue<'videos.benefits'>;

/** Returns the videos for visitors: the owner's, the built-in ones, or none. */
export function presentVideos(content: Content, own: BuiltInVideos, locale: Locale): LandingVideos {
	const shown = videoKeys.map((key) => [key, presentVideo(key, content, own, locale)] as const);
	return Object.fromEntries(shown) as Record<VideoKey, LandingVideo | null>;
}

function presentVideo(key: VideoKey, content: Content, defaults: BuiltInVideos, locale: Locale): LandingVideo | null {
	const { source, film, captions, title } = content[`videos.${key}`];
	if (source === 'none' || (source === 'own' && film === null)) return null;
	const ownFilm = source === 'own' ? film : null;
	// The built-in captions fit only the built-in video.
	const captionsIn = (language: Locale) => {
		const ownCaptions = captions[language];
		if (ownCaptions !== null) return [{ language, src: storedFileUrl(ownCaptions) }];
		return ownFilm === null ? [{ language, src: defaults.urlOf(`${key}.${language}.vtt`) }] : [];
	};
	return {
		src: ownFilm === null ? defaults.urlOf(`${key}.mp4`) : storedFileUrl(ownFilm),
		seconds: ownFilm?.seconds ?? defaultVideoSeconds[key],
		captions: content.languages.flatMap(captionsIn),
		title: title[locale],
		isDefault: ownFilm === null,
	};
}

function storedFileUrl({ blobId }: { blobId: string }): string {
	return `/api/films/${blobId}`;
}

/** The part of a video to change, and the version of its field in the draft that the change is based on. */
interface VideoPartTarget {
	key: VideoKey;
	part: VideoPart;
	version: number;
}

/**
 * Validates an uploaded file, and stores it in the draft.
 * @throws AppError FILM_REFUSED, STALE, STORAGE_FULL, STORAGE_UNAVAILABLE
 */
export async function saveVideoPart(
	deps: Deps,
	caller: Caller,
	{ key, part, version }: VideoPartTarget,
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
	await changeField(deps, caller, { field, version }, async (current, tx): Promise<StoredVideo> => {
		const now = isoAt(deps.clock);
		await insertBlob(tx, { id, storageKey, ...stored, contentType }, now);
		const kind = part === 'film' ? 'video' : 'captions';
		await insertFile(tx, { id, kind, width: null, height: null, blobs: [{ name: 'file', blobId: id }] }, now);
		if (part === 'film') return { ...current, source: 'own', film: { ...storedFile, seconds } };
		return { ...current, captions: { ...current.captions, [languageOf(part)]: storedFile } };
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

function languageOf(part: VideoPart): Locale {
	return part === 'captions-hi' ? 'hi' : 'en';
}
