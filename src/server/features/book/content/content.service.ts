import {
	bookDefaults,
	type bookSettings,
	type EditionKey,
	type EditionLocation,
	editionKeys,
	type PublicBook,
	partAndLanguage,
	type QrAnswer,
} from '#contract/book/book-settings.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findSettingForUpdate, writeSetting } from '../../../platform/database/settings.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { decodeImage, encodeImage, ImageError } from '../../../platform/images/images.ts';
import { findBlob, insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { findLiveNode, withFolders } from '../../files/index.ts';
import { getSetting, type SettingUpdate, type StoredSetting, updateSetting } from '../../settings/index.ts';
import { enqueueCopiesOfAll, enqueueOutlines } from '../book.jobs.ts';
import { listEditionProblems, validateEditionFiles } from '../editions/edition-validation.ts';
import { listBookPdfs } from '../editions/editions.queries.ts';
import { bookSettingKey } from '../editions/editions.service.ts';

const bankContext = 'settings.book.bank';
const upiContext = 'settings.book.upi';
const qrSize = 1200;

/** The book settings as stored: money in paise, bank and UPI details encrypted. */
interface StoredBook {
	title: string;
	originalPaise: number;
	discountedPaise: number;
	bankSealed: string | null;
	/** Absent in settings that an earlier version of Folio saved. */
	upiSealed?: string | null;
	qr: { blobId: string; isImage: boolean } | null;
	editions: Partial<Record<EditionKey, string>>;
	downloads: EditionKey[];
}

const setting: StoredSetting<StoredBook> = {
	key: bookSettingKey,
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

export interface Book extends Omit<StoredBook, 'bankSealed' | 'upiSealed' | 'qr'> {
	bank: PublicBook['bank'];
	upi: PublicBook['upi'];
	/** Null unless the QR code is an image. */
	qrBlobId: string | null;
	/** 0 if the settings were never saved. */
	version: number;
}

export async function getBook(deps: Deps, db: Db): Promise<Book> {
	const { value, version } = await getSetting(db, setting);
	const { bankSealed, upiSealed, qr, ...book } = value;
	const unseal = <T>(context: string, sealed: string | null | undefined, unset: T): T =>
		sealed == null ? unset : JSON.parse(deps.secrets.unseal(context, sealed));
	return {
		...book,
		bank: unseal(bankContext, bankSealed, bookDefaults.bank),
		upi: unseal(upiContext, upiSealed, bookDefaults.upi),
		qrBlobId: qr?.isImage ? qr.blobId : null,
		version,
	};
}

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

export async function getBookForAdmin(deps: Deps, locale: Locale) {
	const book = await getBook(deps, deps.db);
	const bookFiles = await listBookPdfs(deps.db);
	const names = new Map(bookFiles.map(({ id, name }) => [id, name]));
	const problems = await listEditionProblems(deps.db, book.editions, locale);
	const editions = editionKeys.map((key) => {
		const fileId = book.editions[key] ?? '';
		const fileName = names.get(fileId);
		const mayDownload = book.downloads.includes(key);
		return fileName === undefined
			? { key, fileId: null, fileName: null, mayDownload, problem: null }
			: { key, fileId, fileName, mayDownload, problem: problems.get(key) ?? null };
	});
	return { ...presentPublicBook(book), editions, bookFiles, version: book.version };
}

export async function listEditionLocations(deps: Deps): Promise<EditionLocation[]> {
	const { editions } = await getBook(deps, deps.db);
	const locations: EditionLocation[] = [];
	for (const key of editionKeys) {
		const fileId = editions[key];
		const node = fileId === undefined ? undefined : await findLiveNode(deps.db, fileId);
		const [located] = node === undefined ? [] : await withFolders(deps.db, [node]);
		if (located === undefined) continue;
		const { row, folders } = located;
		locations.push({ key, ...partAndLanguage(key), nodeIds: [...folders, row].map(({ id }) => id) });
	}
	return locations;
}

/** Saves the settings; the landing page shows them at once. @throws AppError STALE, EDITION_NOT_PDF, EDITION_UNFIT */
export async function saveBook(deps: Deps, caller: Caller, input: InputOf<typeof bookSettings.save>) {
	const { version } = input;
	await validateEditionFiles(deps, input.editions);
	const saved = await changeBook(deps, caller, { action: 'book-settings-saved', version }, async (tx, stored) => {
		const editions = { ...stored.editions };
		for (const { key, fileId } of input.editions) {
			if (fileId === null) delete editions[key];
			else editions[key] = await validateEditionFile(tx, key, fileId);
		}
		const isNew = editionKeys.some((key) => editions[key] !== undefined && editions[key] !== stored.editions[key]);
		if (isNew) await enqueueEditionWork(deps, tx);
		return {
			...stored,
			title: input.title,
			originalPaise: Math.round(input.originalPrice * 100),
			discountedPaise: Math.round(input.discountedPrice * 100),
			bankSealed: deps.secrets.seal(bankContext, JSON.stringify(input.bank)),
			...(input.upi !== undefined && { upiSealed: deps.secrets.seal(upiContext, JSON.stringify(input.upi)) }),
			editions,
			downloads: editionKeys.filter((key) => {
				const mayDownload = input.editions.find((edition) => edition.key === key)?.mayDownload;
				return mayDownload ?? stored.downloads.includes(key);
			}),
		};
	});
	deps.wakeWorkers();
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-access' } });
	return saved;
}

/** Replaces the file `fromId` by `toId` in the editions that use it, in the caller's transaction. */
export async function replaceEditionFile(deps: Deps, tx: Db, fromId: string, toId: string): Promise<void> {
	const row = await findSettingForUpdate(tx, bookSettingKey);
	if (row === undefined) return;
	const stored = JSON.parse(row.value) as StoredBook;
	const keys = editionKeys.filter((key) => stored.editions[key] === fromId);
	if (keys.length === 0) return;
	const editions = { ...stored.editions, ...Object.fromEntries(keys.map((key) => [key, toId])) };
	await writeSetting(tx, bookSettingKey, JSON.stringify({ ...stored, editions }), row.version + 1, isoAt(deps.clock));
	await enqueueEditionWork(deps, tx);
}

async function enqueueEditionWork(deps: Deps, tx: Db): Promise<void> {
	await enqueueOutlines(deps, tx);
	await enqueueCopiesOfAll(deps, tx);
}

/** Stores an uploaded QR code. An image is re-encoded. Any other file is stored but never displayed. */
export async function saveQr(deps: Deps, caller: Caller, file: { name: string; bytes: Buffer }): Promise<QrAnswer> {
	const picture = await decodeImage(file.bytes)
		.then((decoded) => encodeImage(decoded, qrSize, qrSize, 'png'))
		.catch((error: unknown) => {
			if (error instanceof ImageError) return null;
			throw error;
		});
	const blobId = newId();
	const storageKey = `qrCodes/${newId()}-${toKeySegment(file.name)}`;
	await requireFreeSpace(deps.storage, (picture ?? file.bytes).length);
	const stored = await deps.storage.put(storageKey, picture ?? file.bytes);
	await changeBook(deps, caller, { action: 'qr-uploaded' }, async (tx, current) => {
		const contentType = picture === null ? 'application/octet-stream' : 'image/png';
		await insertBlob(tx, { id: blobId, storageKey, ...stored, contentType }, isoAt(deps.clock));
		return { ...current, qr: { blobId, isImage: picture !== null } };
	});
	return { qrCodeUrl: picture === null ? null : `/api/qr/${blobId}` };
}

/** Returns the blob id of the uploaded QR code, displayable or not; null if there is none. */
export async function findStoredQrBlobId(deps: Deps): Promise<string | null> {
	return (await getSetting(deps.db, setting)).value.qr?.blobId ?? null;
}

/** Returns the blob of the current QR image. @throws AppError NOT_FOUND for any other blob id */
export async function getQrBlob(deps: Deps, blobId: string) {
	const book = await getBook(deps, deps.db);
	return required(book.qrBlobId === blobId ? await findBlob(deps.db, blobId) : undefined, 'NOT_FOUND');
}

type BookChange = SettingUpdate<StoredBook>;

async function changeBook(
	deps: Deps,
	caller: Caller,
	{ action, version }: Pick<BookChange, 'action' | 'version'>,
	change: BookChange['change'],
): Promise<{ version: number }> {
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change,
		action,
		// The bank details must not be readable in the audit list.
		auditDetail: ({ title, originalPaise, discountedPaise, editions, downloads }) => {
			return { title, originalPaise, discountedPaise, editions, ...(downloads.length > 0 && { downloads }) };
		},
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	return saved;
}

async function validateEditionFile(tx: Db, key: EditionKey, fileId: string): Promise<string> {
	const node = await findLiveNode(tx, fileId);
	if (node?.owner_id !== 'book' || node.contentType !== 'application/pdf') {
		throw new AppError('EDITION_NOT_PDF', { fields: { [`editions.${key}`]: 'error_edition_not_pdf' } });
	}
	return node.id;
}
