import {
	bookDefaults,
	type bookSettings,
	type EditionLocation,
	type PublicBook,
	type QrAnswer,
	type StorefrontBook,
	type UtrRequest,
} from '#contract/book/book-settings.ts';
import {
	type EditionKey,
	type EditionMatrix,
	editionDefaults,
	listEditionKeys,
	offeredEditions,
	partAndLanguage,
} from '#contract/book/editions.ts';
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
import { bookSettingKey, listFormerEditions, recordEditionContents } from '../editions/editions.service.ts';

export const bankContext = 'settings.book.bank';
export const upiContext = 'settings.book.upi';
const qrSize = 1200;

/** The book settings as stored: money in paise, bank and UPI details encrypted. */
interface StoredBook extends EditionMatrix {
	title: string;
	originalPaise: number;
	discountedPaise: number;
	bankSealed: string | null;
	/** Absent in settings that an earlier version of Folio saved. */
	upiSealed?: string | null;
	qr: { blobId: string; isImage: boolean } | null;
	utrRequest: UtrRequest;
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
		utrRequest: bookDefaults.utrRequest,
		...editionDefaults,
		editions: {},
		downloads: [],
	},
};

export interface Book extends Omit<StoredBook, 'bankSealed' | 'upiSealed' | 'qr'> {
	bank: PublicBook['bank'];
	upi: PublicBook['upi'];
	/** Null unless the QR code is an image. */
	qrBlobId: string | null;
	/** Whether the owner has saved title, prices and bank details. An uploaded QR code alone does not count. */
	isSaved: boolean;
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
		isSaved: bankSealed !== null,
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
		utrRequest: book.utrRequest,
	};
}

export function presentStorefrontBook(book: Book): StorefrontBook {
	return { ...presentPublicBook(book), offered: offeredEditions(book) };
}

export async function getBookForAdmin(deps: Deps, locale: Locale) {
	const book = await getBook(deps, deps.db);
	const bookFiles = await listBookPdfs(deps.db);
	const names = new Map(bookFiles.map(({ id, name }) => [id, name]));
	const problems = await listEditionProblems(deps.db, locale);
	const editions = listEditionKeys(book).map((key) => {
		const fileId = book.editions[key] ?? null;
		const fileName = names.get(fileId ?? '') ?? null;
		const file = fileName === null ? { fileId: null, problem: null } : { fileId, problem: problems.get(key) ?? null };
		return { key, fileName, mayDownload: book.downloads.includes(key), ...file };
	});
	const { parts, languages, version } = book;
	const formerEditions = await listFormerEditions(deps.db);
	return { ...presentPublicBook(book), parts, languages, editions, formerEditions, bookFiles, version };
}

export async function listEditionLocations(deps: Deps) {
	const book = await getBook(deps, deps.db);
	const locations: EditionLocation[] = [];
	for (const key of listEditionKeys(book)) {
		const fileId = book.editions[key];
		const node = fileId === undefined ? undefined : await findLiveNode(deps.db, fileId);
		const [located] = node === undefined ? [] : await withFolders(deps.db, [node]);
		if (located === undefined) continue;
		const { row, folders } = located;
		locations.push({ key, ...partAndLanguage(key), nodeIds: [...folders, row].map(({ id }) => id) });
	}
	return { items: locations, offered: offeredEditions(book) };
}

/** Saves the settings; the landing page shows them at once. @throws AppError STALE, EDITION_NOT_PDF, EDITION_UNFIT */
export async function saveBook(deps: Deps, caller: Caller, input: InputOf<typeof bookSettings.save>) {
	const { version } = input;
	await validateEditionFiles(deps, caller.locale, input.editions);
	const saved = await changeBook(deps, caller, { action: 'book-settings-saved', version }, async (tx, stored) => {
		const { parts = stored.parts, languages = stored.languages } = input;
		const matrix = { parts: parts.toSorted((a, b) => a.number - b.number), languages };
		const keys = listEditionKeys(matrix);
		const editions = await assignFiles(tx, keys, stored.editions, input.editions);
		await recordEditionContents(deps, tx, stored.editions, editions);
		const isNew = keys.some((key) => editions[key] !== undefined && editions[key] !== stored.editions[key]);
		if (isNew) await enqueueEditionWork(deps, tx);
		return {
			...stored,
			...matrix,
			title: input.title,
			originalPaise: Math.round(input.originalPrice * 100),
			discountedPaise: Math.round(input.discountedPrice * 100),
			bankSealed: deps.secrets.seal(bankContext, JSON.stringify(input.bank)),
			...(input.upi !== undefined && { upiSealed: deps.secrets.seal(upiContext, JSON.stringify(input.upi)) }),
			utrRequest: input.utrRequest ?? stored.utrRequest,
			editions,
			downloads: keys.filter((key) => {
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
	const keys = (Object.keys(stored.editions) as EditionKey[]).filter((key) => stored.editions[key] === fromId);
	if (keys.length === 0) return;
	const editions = { ...stored.editions, ...Object.fromEntries(keys.map((key) => [key, toId])) };
	await recordEditionContents(deps, tx, stored.editions, editions);
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
		auditDetail: ({ title, originalPaise, discountedPaise, utrRequest, parts, languages, editions, downloads }) => {
			return {
				title,
				originalPaise,
				discountedPaise,
				utrRequest,
				...(parts.length > 1 && { parts: parts.map(({ number, name }) => name.en || name.hi || number) }),
				...(languages.length > 1 && { languages: languages.map(({ name }) => name) }),
				editions,
				...(downloads.length > 0 && { downloads }),
			};
		},
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	return saved;
}

/** Returns the files of the editions `keys`. Other editions, whose part or language was removed, keep no file. */
async function assignFiles(
	tx: Db,
	keys: readonly EditionKey[],
	stored: StoredBook['editions'],
	input: InputOf<typeof bookSettings.save>['editions'],
): Promise<StoredBook['editions']> {
	const editions = Object.fromEntries(Object.entries(stored).filter(([key]) => keys.includes(key as EditionKey)));
	for (const { key, fileId } of input) {
		if (fileId === null) delete editions[key];
		else if (keys.includes(key)) editions[key] = await validateEditionFile(tx, key, fileId);
		else throw new AppError('INVALID_INPUT', { fields: { [`editions.${key}`]: 'error_edition_gone' } });
	}
	return editions;
}

async function validateEditionFile(tx: Db, key: EditionKey, fileId: string): Promise<string> {
	const node = await findLiveNode(tx, fileId);
	if (node?.owner_id !== 'book' || node.contentType !== 'application/pdf') {
		throw new AppError('EDITION_NOT_PDF', { fields: { [`editions.${key}`]: 'error_edition_not_pdf' } });
	}
	return node.id;
}
