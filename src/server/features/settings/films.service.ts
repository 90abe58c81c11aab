import {
	type FilmKey,
	type FilmPart,
	filmKeys,
	ownFilmSeconds,
	type ShownFilm,
	type ShownFilms,
} from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { plainCaptions } from '../../platform/captions.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { FilmError, readFilm } from '../../platform/film-files.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import { newId } from '../../platform/ids.ts';
import { requireFreeSpace } from '../../platform/storage/free-space.ts';
import { safeSegment } from '../../platform/storage/storage.ts';
import { findBlob, insertBlob } from '../files/files.service.ts';
import { changeSetting, readSetting, type Setting } from './saved-settings.service.ts';

interface StoredFile {
	blobId: string;
	name: string;
	sizeBytes: number;
}

/** What the owner gave for one film. */
interface StoredFilm {
	film: (StoredFile & { seconds: number }) | null;
	captions: Record<Locale, StoredFile | null>;
	title: Record<Locale, string>;
}
/** What the owner gave for both. */
export type StoredFilms = Record<FilmKey, StoredFilm>;

const nothing: StoredFilm = { film: null, captions: { en: null, hi: null }, title: { en: '', hi: '' } };
export const nothingStored: StoredFilms = { benefits: nothing, 'how-to-get': nothing };
const setting: Setting<StoredFilms> = { key: 'films', defaults: nothingStored };
const languages = ['en', 'hi'] as const;

/** The films' setting as it is kept. */
export async function readFilms(db: Db): Promise<StoredFilms> {
	return (await readSetting(db, setting)).value;
}

/** What the settings page shows. */
export async function getFilmsForAdmin(db: Db) {
	const { value, version } = await readSetting(db, setting);
	return { films: value, version };
}

/** The films as visitors see them: the owner's, and the product's own in place of what is not given. */
export function showFilms(stored: StoredFilms, own: OwnFilms, locale: Locale): ShownFilms {
	const shown = filmKeys.map((key) => [key, showFilm(key, stored[key], own, locale)] as const);
	return Object.fromEntries(shown) as Record<FilmKey, ShownFilm>;
}

function showFilm(key: FilmKey, { film, captions, title }: StoredFilm, own: OwnFilms, locale: Locale): ShownFilm {
	// The product's own captions say what its own film shows.
	const captionsIn = (language: Locale) => {
		const given = captions[language];
		if (given !== null) return [{ language, src: addressOf(given) }];
		return film === null ? [{ language, src: own.addressOf(`${key}.${language}.vtt`) }] : [];
	};
	return {
		src: film === null ? own.addressOf(`${key}.mp4`) : addressOf(film),
		seconds: film?.seconds ?? ownFilmSeconds[key],
		captions: languages.flatMap(captionsIn),
		title: title[locale],
	};
}

function addressOf({ blobId }: StoredFile): string {
	return `/api/films/${blobId}`;
}

/** Blobs that the films' settings point at. */
export async function listFilmBlobIds(db: Db): Promise<string[]> {
	const files = Object.values(await readFilms(db)).flatMap(({ film, captions }) => [film, captions.en, captions.hi]);
	return files.flatMap((file) => (file === null ? [] : [file.blobId]));
}

/** The bytes of a film or of captions that are shown now. @throws AppError NOT_FOUND for any other id */
export async function requireFilmBlob(deps: Deps, blobId: string) {
	const isShown = (await listFilmBlobIds(deps.db)).includes(blobId);
	const blob = isShown ? await findBlob(deps.db, blobId) : undefined;
	if (blob === undefined) throw new AppError('NOT_FOUND');
	return blob;
}

/** Which part of which film, and the version of the settings that were looked at. */
export interface FilmPlace {
	film: FilmKey;
	part: FilmPart;
	version: number;
}

/**
 * Keeps a file that the owner gave: a film is read as one, captions are written anew as plain text.
 * @throws AppError FILM_REFUSED with `fields.file`, STALE, STORAGE_FULL, STORAGE_UNAVAILABLE
 */
export async function saveFilmPart(
	deps: Deps,
	caller: Caller,
	{ film, part, version }: FilmPlace,
	file: { name: string; bytes: Buffer },
): Promise<{ version: number }> {
	// Before a large file is kept for nothing.
	if ((await getFilmsForAdmin(deps.db)).version !== version) throw new AppError('STALE');
	const { bytes, contentType, seconds } = part === 'film' ? await takeFilm(file.bytes) : takeCaptions(file.bytes);
	const kept: StoredFile = { blobId: newId(), name: file.name.slice(-200), sizeBytes: bytes.length };
	const storageKey = `films/${newId()}-${safeSegment(file.name)}`;
	await requireFreeSpace(deps.storage, bytes.length);
	const stored = await deps.storage.put(storageKey, bytes);
	return changeFilm(deps, caller, { film, part, version }, 'film-replaced', async (tx, current) => {
		await insertBlob(tx, {
			id: kept.blobId,
			storage_key: storageKey,
			size_bytes: stored.sizeBytes,
			sha256: stored.sha256,
			content_type: contentType,
			created_at: isoAt(deps.clock),
		});
		if (part === 'film') return { ...current, film: { ...kept, seconds } };
		return { ...current, captions: { ...current.captions, [languageOf(part)]: kept } };
	});
}

/** Goes back to the product's own; with the film go its captions and its title. @throws AppError STALE */
export function removeFilmPart(deps: Deps, caller: Caller, place: FilmPlace): Promise<{ version: number }> {
	return changeFilm(deps, caller, place, 'film-removed', (_tx, current) => {
		if (place.part === 'film') return nothing;
		return { ...current, captions: { ...current.captions, [languageOf(place.part)]: null } };
	});
}

/** @throws AppError STALE */
export function saveFilmTitle(
	deps: Deps,
	caller: Caller,
	{ film, title, version }: { film: FilmKey; title: Record<Locale, string>; version: number },
): Promise<{ version: number }> {
	const place = { film, part: 'film', version } as const;
	return changeFilm(deps, caller, place, 'film-titled', (_tx, current) => ({ ...current, title }));
}

type Change = (tx: Db, current: StoredFilm) => StoredFilm | Promise<StoredFilm>;

/** Bytes that are kept while the settings turn out to be stale have no row, and the upkeep removes them. */
async function changeFilm(
	deps: Deps,
	caller: Caller,
	{ film, part, version }: FilmPlace,
	action: string,
	change: Change,
): Promise<{ version: number }> {
	const saved = await changeSetting(deps, caller, setting, {
		version,
		change: async (tx, stored) => ({ ...stored, [film]: await change(tx, stored[film]) }),
		action,
		tell: (all) => ({ film, part, name: all[film].film?.name ?? '', title: all[film].title.en }),
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	return saved;
}

async function takeFilm(bytes: Buffer) {
	const { contentType, seconds } = await readFilm(bytes).catch((error: unknown) => {
		if (!(error instanceof FilmError)) throw error;
		throw refused(error.fault === 'not-film' ? 'error_film_not_film' : 'error_film_not_for_all');
	});
	return { bytes, contentType, seconds: Math.max(1, Math.round(seconds)) };
}

function takeCaptions(bytes: Buffer) {
	const captions = plainCaptions(bytes);
	if (captions === null) throw refused('error_captions_not_vtt');
	return { bytes: Buffer.from(captions), contentType: 'text/vtt; charset=utf-8', seconds: 0 };
}

/** A file that cannot be taken, with the reason. */
function refused(reason: string): AppError {
	return new AppError('FILM_REFUSED', { fields: { file: reason } });
}

function languageOf(part: FilmPart): Locale {
	return part === 'captions-hi' ? 'hi' : 'en';
}
