import type { AuditAction } from '#contract/audit/audit-kinds.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { type Locale, locales } from '#contract/core/text.ts';
import {
	defaultVideoSeconds,
	type LandingVideo,
	type LandingVideos,
	type VideoKey,
	type VideoPart,
	videoKeys,
} from '#contract/storefront/video-parts.ts';
import type { videoSettings } from '#contract/storefront/videos.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { findBlob, insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';
import type { BuiltInVideos } from './built-in-videos.ts';
import { sanitizeCaptions } from './captions.ts';
import { readVideoFile, rejectUpload } from './video-file.ts';

interface StoredFile {
	blobId: string;
	name: string;
	sizeBytes: number;
}

interface StoredVideo {
	film: (StoredFile & { seconds: number }) | null;
	captions: Record<Locale, StoredFile | null>;
	title: Record<Locale, string>;
}
export type StoredVideos = Record<VideoKey, StoredVideo>;

const emptyVideo: StoredVideo = { film: null, captions: { en: null, hi: null }, title: { en: '', hi: '' } };
export const noStoredVideos: StoredVideos = { benefits: emptyVideo, 'how-to-get': emptyVideo };
const setting: StoredSetting<StoredVideos> = { key: 'films', defaults: noStoredVideos };

export async function getVideos(db: Db) {
	const { value, version } = await getSetting(db, setting);
	return { films: value, version };
}

/** Returns the videos for visitors: the owner's, or the built-in video if the owner has none. */
export function presentVideos(stored: StoredVideos, own: BuiltInVideos, locale: Locale): LandingVideos {
	const shown = videoKeys.map((key) => [key, presentVideo(key, stored[key], own, locale)] as const);
	return Object.fromEntries(shown) as Record<VideoKey, LandingVideo>;
}

function presentVideo(key: VideoKey, { film, captions, title }: StoredVideo, defaults: BuiltInVideos, locale: Locale) {
	// The built-in captions fit only the built-in video.
	const captionsIn = (language: Locale) => {
		const ownCaptions = captions[language];
		if (ownCaptions !== null) return [{ language, src: storedFileUrl(ownCaptions) }];
		return film === null ? [{ language, src: defaults.urlOf(`${key}.${language}.vtt`) }] : [];
	};
	return {
		src: film === null ? defaults.urlOf(`${key}.mp4`) : storedFileUrl(film),
		seconds: film?.seconds ?? defaultVideoSeconds[key],
		captions: locales.flatMap(captionsIn),
		title: title[locale],
	};
}

function storedFileUrl({ blobId }: StoredFile): string {
	return `/api/films/${blobId}`;
}

export async function listVideoBlobIds(db: Db): Promise<string[]> {
	const files = Object.values((await getVideos(db)).films).flatMap(({ film, captions }) => [
		film,
		captions.en,
		captions.hi,
	]);
	return files.flatMap((file) => (file === null ? [] : [file.blobId]));
}

/** Returns the blob of a current video or captions file. @throws AppError NOT_FOUND for any other id */
export async function getVideoBlob(deps: Deps, blobId: string) {
	const isShown = (await listVideoBlobIds(deps.db)).includes(blobId);
	return required(isShown ? await findBlob(deps.db, blobId) : undefined, 'NOT_FOUND');
}

/** The part of a video to change, and the version of the settings that the change is based on. */
interface VideoPartTarget {
	film: VideoKey;
	part: VideoPart;
	version: number;
}

/** Validates and stores an uploaded file. @throws AppError FILM_REFUSED, STALE, STORAGE_FULL, STORAGE_UNAVAILABLE */
export async function saveVideoPart(
	deps: Deps,
	caller: Caller,
	{ film, part, version }: VideoPartTarget,
	file: { name: string; bytes: Buffer },
): Promise<{ version: number }> {
	// `changeVideo` checks the version again. This check avoids storing a large file in vain.
	if ((await getVideos(deps.db)).version !== version) throw new AppError('STALE');
	const { bytes, contentType, seconds } = part === 'film' ? await parseVideo(file.bytes) : parseCaptions(file.bytes);
	const storedFile: StoredFile = { blobId: newId(), name: file.name.slice(-200), sizeBytes: bytes.length };
	const storageKey = `films/${newId()}-${toKeySegment(file.name)}`;
	await requireFreeSpace(deps.storage, bytes.length);
	const stored = await deps.storage.put(storageKey, bytes);
	return changeVideo(deps, caller, { film, part, version }, 'film-replaced', async (tx, current) => {
		await insertBlob(tx, { id: storedFile.blobId, storageKey, ...stored, contentType }, isoAt(deps.clock));
		if (part === 'film') return { ...current, film: { ...storedFile, seconds } };
		return { ...current, captions: { ...current.captions, [languageOf(part)]: storedFile } };
	});
}

/** Removes an uploaded file; removing a video also removes its captions and title. @throws AppError STALE */
export function deleteVideoPart(deps: Deps, caller: Caller, target: VideoPartTarget): Promise<{ version: number }> {
	return changeVideo(deps, caller, target, 'film-removed', (_tx, current) => {
		if (target.part === 'film') return emptyVideo;
		return { ...current, captions: { ...current.captions, [languageOf(target.part)]: null } };
	});
}

/** @throws AppError STALE */
export function saveVideoTitle(
	deps: Deps,
	caller: Caller,
	{ film, title, version }: InputOf<typeof videoSettings.saveTitle>,
) {
	const target = { film, part: 'film', version } as const;
	return changeVideo(deps, caller, target, 'film-titled', (_tx, current) => ({ ...current, title }));
}

type Change = (tx: Db, current: StoredVideo) => StoredVideo | Promise<StoredVideo>;

/** Changes a video in the settings. If the version is stale, maintenance later deletes the bytes stored before. */
async function changeVideo(
	deps: Deps,
	caller: Caller,
	{ film, part, version }: VideoPartTarget,
	action: AuditAction,
	change: Change,
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: async (tx, stored) => ({ ...stored, [film]: await change(tx, stored[film]) }),
		action,
		auditDetail: (all) => ({ film, part, name: all[film].film?.name ?? '', title: all[film].title.en }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	return saved;
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
