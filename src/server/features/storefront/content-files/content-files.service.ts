import { buffer } from 'node:stream/consumers';
import { imagesFolder, type StorefrontImage } from '#contract/storefront/content.ts';
import type { Content, ContentField } from '#contract/storefront/content-fields.ts';
import type { PagePicture } from '#contract/storefront/page-content.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { systemCaller } from '../../audit/index.ts';
import { findVersionContent, listFieldRows, listVersions, lockContent } from '../content/content.queries.ts';
import { fromVersionContent, type StoredValues, storedValuesOf } from '../content/content-values.ts';
import * as queries from './content-files.queries.ts';

/** Unreferenced files are kept this long: an upload may not be saved in a field yet, and a removed file can be put back. */
const unusedSeconds = 24 * 3600;

const pictureAddress = new RegExp(`${imagesFolder}([\\w-]{1,40})/`, 'gu');

/** Returns the IDs of the pictures, videos and captions to which the values refer. */
export function fileIdsIn(stored: StoredValues): string[] {
	return [...new Set([...stored].flatMap(([field, json]) => fileIdsOf(field, json)))];
}

function fileIdsOf(field: ContentField, json: string): string[] {
	const value: unknown = JSON.parse(json);
	switch (field) {
		case 'icon':
		case 'page.socialImage':
			return value === null ? [] : [value as string];
		case 'covers':
			return Object.values(value as Content['covers']);
		case 'excerpts.items':
			return [...json.matchAll(pictureAddress)].map(([, id = '']) => id);
		case 'videos.benefits':
		case 'videos.how-to-get': {
			const { film, captions } = value as Content['videos.benefits'];
			return [film, captions.en, captions.hi].flatMap((file) => (file === null ? [] : [file.blobId]));
		}
		default:
			return [];
	}
}

/** Whether the field is a text with addresses of pictures. An admin can type any address there, also one without a file. */
const isFreeText = (field: ContentField) => field === 'excerpts.items';

/**
 * Requires that the files of a field exist, and have the right kind. Addresses in texts are not checked.
 * @throws AppError INVALID_INPUT
 */
export async function requireFiles(tx: Db, field: ContentField, json: string): Promise<void> {
	if (isFreeText(field)) return;
	const ids = fileIdsOf(field, json);
	const files = await queries.listFiles(tx, ids);
	const found = new Set(files.filter(({ kind }) => kindsOf(field).includes(kind)).map(({ id }) => id));
	if (ids.some((id) => !found.has(id)))
		throw new AppError('INVALID_INPUT', { fields: { value: 'error_storefront_file_gone' } });
}

/** Returns the kinds of files that a field may refer to. Each kind has variants in the sizes that the page needs. */
function kindsOf(field: ContentField): readonly queries.FileKind[] {
	if (field === 'covers') return ['cover'];
	if (field === 'icon') return ['icon'];
	return field === 'page.socialImage' ? ['social'] : ['video', 'captions'];
}

/** Returns a file that visitors see, or for admins any file. @throws AppError NOT_FOUND */
export async function getFileBlob(deps: Deps, { actor }: Caller, id: string, name: string) {
	const blob = /^[\w-]+$/u.test(id) ? await queries.findFileBlob(deps.db, id, name) : undefined;
	const isAllowed = blob?.isPublished === 1 || (actor?.role === 'admin' && !actor.mustSetUpTwoFactor);
	if (blob === undefined || !isAllowed) throw new AppError('NOT_FOUND');
	return blob;
}

/** Reads a variant by its URL; null if it does not exist. The caller has to check who may see it. */
export async function readPicture(deps: Deps, url: string): Promise<Buffer | null> {
	const [id = '', name = ''] = url.slice(imagesFolder.length).split('/');
	const blob = await queries.findFileBlob(deps.db, id, name);
	return blob === undefined ? null : buffer(await deps.storage.read(blob.storage_key));
}

/** Returns those of the files that are pictures. */
export async function listPictures(db: Db, ids: string[]): Promise<StorefrontImage[]> {
	const files = await queries.listFiles(db, ids);
	return files.flatMap((file) => (file.width === null ? [] : [presentPicture(file)]));
}

type PictureFile = Pick<Awaited<ReturnType<typeof queries.listFiles>>[number], 'id' | 'width' | 'height' | 'names'>;

export function presentPicture({ id, width, height, names }: PictureFile): StorefrontImage {
	const fallback = variantsOf(names, 'jpg').at(-1) ?? variantsOf(names, 'png').at(-1);
	return { id, url: `${imagesFolder}${id}/${fallback?.name}`, width: width ?? 0, height: height ?? 0 };
}

/** Returns pictures for rendering, by ID. */
export async function getPagePictures(db: Db, ids: string[]): Promise<Map<string, PagePicture>> {
	const files = await queries.listFiles(db, ids);
	const pictures = files.filter(({ width }) => width !== null);
	return new Map(pictures.map((file) => [file.id, presentPagePicture(file)]));
}

function presentPagePicture(file: PictureFile): PagePicture {
	const { id, url, width, height } = presentPicture(file);
	const sourceSet = (type: string) =>
		variantsOf(file.names, type)
			.map((variant) => `${imagesFolder}${id}/${variant.name} ${variant.width}w`)
			.join(', ');
	return { src: url, width, height, avif: sourceSet('avif'), webp: sourceSet('webp') };
}

/** Returns the variants of a type, the narrowest first. */
function variantsOf(names: string[], type: string): Array<{ name: string; width: number }> {
	return names
		.filter((name) => name.endsWith(`.${type}`))
		.map((name) => ({ name, width: Number.parseInt(name, 10) }))
		.sort((a, b) => a.width - b.width);
}

/** Deletes the rows of files to which neither the draft nor a kept version refers. Their blobs are then unreferenced. */
export async function deleteUnusedFiles(deps: Deps): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await lockContent(tx, systemCaller);
		const candidates = await queries.listOldUnpublishedFiles(tx, isoAt(deps.clock, -unusedSeconds));
		if (candidates.length === 0) return;
		const used = await listReferencedFileIds(tx);
		const unused = candidates.filter((id) => !used.has(id));
		if (unused.length > 0) await queries.deleteFiles(tx, unused);
	});
}

/** Returns the IDs of files that the draft or the published content refers to, but that do not exist. */
export async function listMissingFiles(db: Db): Promise<string[]> {
	const rows = (await listFieldRows(db)).filter(({ field }) => !isFreeText(field));
	const values = [storedValuesOf(rows, 'published'), storedValuesOf(rows, 'draft')];
	const ids = [...new Set(values.flatMap(fileIdsIn))];
	const found = new Set((await queries.listFiles(db, ids)).map(({ id }) => id));
	return ids.filter((id) => !found.has(id));
}

async function listReferencedFileIds(db: Db): Promise<Set<string>> {
	const rows = await listFieldRows(db);
	const ids = new Set([...fileIdsIn(storedValuesOf(rows, 'published')), ...fileIdsIn(storedValuesOf(rows, 'draft'))]);
	for (const { number } of await listVersions(db)) {
		const content = await findVersionContent(db, number);
		for (const id of content === undefined ? [] : fileIdsIn(fromVersionContent(content))) ids.add(id);
	}
	return ids;
}
