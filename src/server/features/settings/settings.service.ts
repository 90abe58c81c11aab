import type {
	Bank,
	EditionKey,
	EditionPlace,
	PublicBook,
	QrAnswer,
	UpiPayee,
} from '#contract/settings/book-settings.ts';
import { bookDefaults, editionKeys, partAndLanguage } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import { findSettingForUpdate, writeSetting } from '../../db/settings.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { decodePicture, encodePicture, PictureError } from '../../platform/pictures.ts';
import { requireFreeSpace } from '../../platform/storage/free-space.ts';
import { safeSegment } from '../../platform/storage/storage.ts';
import { wishCopiesOfAll } from '../copies/copies.wish.service.ts';
import { findBlob, findBreadcrumb, findLiveNode, insertBlob, listFilesByEnding } from '../files/files.service.ts';
import { wishOutlines } from '../outlines/outlines.wish.service.ts';
import { findEditionProblems, requireFitEditions } from './editions.fitness.ts';
import { bookKey } from './editions.service.ts';
import { changeSetting, readSetting, type Setting, type SettingChange } from './saved-settings.service.ts';

const bankContext = 'settings.book.bank';
const upiContext = 'settings.book.upi';
const qrSize = 1200;

/** The book settings as kept: money in paise, bank details sealed. */
interface StoredBook {
	title: string;
	originalPaise: number;
	discountedPaise: number;
	bankSealed: string | null;
	/** Absent in what was saved before there was one. */
	upiSealed?: string | null;
	qr: { blobId: string; isImage: boolean } | null;
	editions: Partial<Record<EditionKey, string>>;
	/** Editions that buyers may keep as a file. */
	downloads: EditionKey[];
}

const setting: Setting<StoredBook> = {
	key: bookKey,
	defaults: {
		title: bookDefaults.title,
		originalPaise: bookDefaults.originalPrice * 100,
		discountedPaise: bookDefaults.discountedPrice * 100,
		bankSealed: null,
		qr: null,
		editions: {},
		downloads: [],
	},
};

/** The book settings as the server works with them. */
export interface Book {
	title: string;
	originalPaise: number;
	discountedPaise: number;
	bank: Bank;
	upi: UpiPayee;
	qrBlobId: string | null;
	editions: Partial<Record<EditionKey, string>>;
	downloads: EditionKey[];
	/** 0 while nothing was ever saved. */
	version: number;
}

/** The current book settings; the specified defaults where nothing was saved. */
export async function getBook(deps: Deps, db: Db): Promise<Book> {
	const { value: stored, version } = await readSetting(db, setting);
	return {
		title: stored.title,
		originalPaise: stored.originalPaise,
		discountedPaise: stored.discountedPaise,
		bank:
			stored.bankSealed === null
				? bookDefaults.bank
				: (JSON.parse(deps.secrets.unseal(bankContext, stored.bankSealed)) as Bank),
		upi:
			stored.upiSealed == null
				? bookDefaults.upi
				: (JSON.parse(deps.secrets.unseal(upiContext, stored.upiSealed)) as UpiPayee),
		qrBlobId: stored.qr?.isImage ? stored.qr.blobId : null,
		editions: stored.editions,
		downloads: stored.downloads,
		version,
	};
}

/** What anybody may see of the settings. Prices in rupees. */
export function presentPublicBook(book: Book): PublicBook {
	return {
		title: book.title,
		originalPrice: book.originalPaise / 100,
		discountedPrice: book.discountedPaise / 100,
		bank: book.bank,
		upi: book.upi,
		qrCodeUrl: book.qrBlobId === null ? null : `/api/qr/${book.qrBlobId}`,
	};
}

/** What the settings modal needs. */
export async function getBookForAdmin(deps: Deps, locale: Locale) {
	const book = await getBook(deps, deps.db);
	const bookFiles = await listFilesByEnding(deps.db, 'book', 'pdf');
	const names = new Map(bookFiles.map((file) => [file.id, file.name]));
	const problems = await findEditionProblems(deps.db, book.editions, locale);
	const editions = editionKeys.map((key) => {
		const fileId = book.editions[key] ?? null;
		const isThere = fileId !== null && names.has(fileId);
		return {
			key,
			fileId: isThere ? fileId : null,
			fileName: isThere ? (names.get(fileId) ?? null) : null,
			mayDownload: book.downloads.includes(key),
			problem: isThere ? (problems.get(key) ?? null) : null,
		};
	});
	return { ...presentPublicBook(book), editions, bookFiles, version: book.version };
}

/** The editions that buyers read now, each with the folders and the file it hangs on. */
export async function listEditionPlaces(deps: Deps): Promise<EditionPlace[]> {
	const { editions } = await getBook(deps, deps.db);
	const places: EditionPlace[] = [];
	for (const key of editionKeys) {
		const fileId = editions[key];
		const node = fileId === undefined ? undefined : await findLiveNode(deps.db, fileId);
		if (node === undefined) continue;
		const folders = await findBreadcrumb(deps.db, node.owner_id, node.path);
		places.push({ key, ...partAndLanguage(key), nodeIds: [...folders.map(({ id }) => id), node.id] });
	}
	return places;
}

export interface BookInput {
	title: string;
	originalPrice: number;
	discountedPrice: number;
	bank: Bank;
	/** Absent: it stays as it is. */
	upi?: UpiPayee | undefined;
	/** Whether it may be kept as a file; absent: that stays as it is. */
	editions: Array<{ key: EditionKey; fileId: string | null; mayDownload?: boolean | undefined }>;
	version: number;
}

/** Saves the settings; live on the landing page at once. @throws AppError STALE, EDITION_NOT_PDF, EDITION_UNFIT */
export async function saveBook(deps: Deps, caller: Caller, input: BookInput): Promise<{ version: number }> {
	const { version } = input;
	await requireFitEditions(deps, input.editions);
	const saved = await changeBook(deps, caller, { action: 'book-settings-saved', version }, async (tx, stored) => {
		const editions = { ...stored.editions };
		for (const { key, fileId } of input.editions) {
			if (fileId === null) delete editions[key];
			else editions[key] = await requireEditionFile(tx, key, fileId);
		}
		const isNew = editionKeys.some((key) => editions[key] !== undefined && editions[key] !== stored.editions[key]);
		if (isNew) await wishWorkOnEditions(deps, tx);
		return {
			...stored,
			title: input.title,
			originalPaise: Math.round(input.originalPrice * 100),
			discountedPaise: Math.round(input.discountedPrice * 100),
			bankSealed: deps.secrets.seal(bankContext, JSON.stringify(input.bank)),
			...(input.upi !== undefined && { upiSealed: deps.secrets.seal(upiContext, JSON.stringify(input.upi)) }),
			editions,
			downloads: editionKeys.filter((key) => {
				const asked = input.editions.find((edition) => edition.key === key)?.mayDownload;
				return asked ?? stored.downloads.includes(key);
			}),
		};
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-access' } });
	return saved;
}

/** In the caller's transaction: what buyers read as an edition is, from now on, the file that took the place of the old one. */
export async function passEditionOn(deps: Deps, tx: Db, fromId: string, toId: string): Promise<void> {
	const row = await findSettingForUpdate(tx, bookKey);
	if (row === undefined) return;
	const stored = JSON.parse(row.value) as StoredBook;
	const keys = editionKeys.filter((key) => stored.editions[key] === fromId);
	if (keys.length === 0) return;
	const editions = { ...stored.editions, ...Object.fromEntries(keys.map((key) => [key, toId])) };
	await writeSetting(tx, bookKey, JSON.stringify({ ...stored, editions }), row.version + 1, isoAt(deps.clock));
	await wishWorkOnEditions(deps, tx);
}

/** What is made of an edition's file once it is one. */
async function wishWorkOnEditions(deps: Deps, tx: Db): Promise<void> {
	await wishOutlines(deps, tx);
	await wishCopiesOfAll(deps, tx);
}

/** Keeps an uploaded QR: an image is decoded and written anew, anything else is kept and never drawn. */
export async function saveQr(deps: Deps, caller: Caller, file: { name: string; bytes: Buffer }): Promise<QrAnswer> {
	const picture = await decodePicture(file.bytes)
		.then((decoded) => encodePicture(decoded, qrSize, qrSize, 'png'))
		.catch((error: unknown) => {
			if (error instanceof PictureError) return null;
			throw error;
		});
	const blobId = newId();
	const storageKey = `qrCodes/${newId()}-${safeSegment(file.name)}`;
	await requireFreeSpace(deps.storage, (picture ?? file.bytes).length);
	const stored = await deps.storage.put(storageKey, picture ?? file.bytes);
	await changeBook(deps, caller, { action: 'qr-uploaded' }, async (tx, current) => {
		await insertBlob(tx, {
			id: blobId,
			storage_key: storageKey,
			size_bytes: stored.sizeBytes,
			sha256: stored.sha256,
			content_type: picture === null ? 'application/octet-stream' : 'image/png',
			created_at: isoAt(deps.clock),
		});
		return { ...current, qr: { blobId, isImage: picture !== null } };
	});
	return { qrCodeUrl: picture === null ? null : `/api/qr/${blobId}` };
}

/** The blob of the uploaded QR, drawn or not; null without one. */
export async function findKeptQrBlobId(deps: Deps): Promise<string | null> {
	return (await readSetting(deps.db, setting)).value.qr?.blobId ?? null;
}

/** The current QR picture's bytes. @throws AppError NOT_FOUND for any other id */
export async function requireQrBlob(deps: Deps, blobId: string) {
	const book = await getBook(deps, deps.db);
	const blob = book.qrBlobId === blobId ? await findBlob(deps.db, blobId) : undefined;
	if (blob === undefined) throw new AppError('NOT_FOUND');
	return blob;
}

type BookChange = SettingChange<StoredBook>;

async function changeBook(
	deps: Deps,
	caller: Caller,
	{ action, version }: Pick<BookChange, 'action' | 'version'>,
	change: BookChange['change'],
): Promise<{ version: number }> {
	const saved = await changeSetting(deps, caller, setting, {
		version,
		change,
		action,
		// The bank's details are nobody's to read in a list.
		tell: ({ title, originalPaise, discountedPaise, editions, downloads }) => {
			return { title, originalPaise, discountedPaise, editions, ...(downloads.length > 0 && { downloads }) };
		},
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	return saved;
}

async function requireEditionFile(tx: Db, key: EditionKey, fileId: string): Promise<string> {
	const node = await findLiveNode(tx, fileId);
	if (node?.owner_id !== 'book' || node.contentType !== 'application/pdf') {
		throw new AppError('EDITION_NOT_PDF', { fields: { [`editions.${key}`]: 'error_edition_not_pdf' } });
	}
	return node.id;
}
