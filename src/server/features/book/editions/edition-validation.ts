import type { EditionKey } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { checkPdf, PdfError } from '../../../platform/pdf/watermark.ts';
import { findBlob, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { withTemporaryFolder } from '../../../platform/storage/temporary-folder.ts';
import { findLiveNode } from '../../files/index.ts';
import { findOriginals } from '../watermark/copy-plan.ts';
import { findCopyFailure } from './editions.queries.ts';
import { describePdfFailure, getEditionFiles } from './editions.service.ts';

/** Larger files are checked only by the watermark jobs, because the owner waits for the response. */
const validationMaxBytes = 64 * 1024 * 1024;
const validationLimits = { maxCpuMs: 8000, maxElapsedMs: 10_000, maxMemoryBytes: 380 * 1024 * 1024 };

/**
 * Refuses newly assigned files that need a password, have no pages or are damaged, because no copies can be made of
 * them. A file that cannot be checked quickly is accepted.
 * @throws AppError EDITION_UNFIT
 */
export async function validateEditionFiles(
	deps: Deps,
	locale: Locale,
	editions: ReadonlyArray<{ key: EditionKey; fileId: string | null }>,
): Promise<void> {
	const current = await getEditionFiles(deps.db);
	const fields: Record<string, string> = {};
	// Several editions may have the same file.
	const failures = new Map<string, string | null>();
	for (const { key, fileId } of editions) {
		if (fileId === null || fileId === current[key]) continue;
		const failure = failures.has(fileId) ? failures.get(fileId) : await findFileFailure(deps, fileId);
		failures.set(fileId, failure ?? null);
		if (failure) fields[`editions.${key}`] = describePdfFailure(failure, locale);
	}
	if (Object.keys(fields).length > 0) throw new AppError('EDITION_UNFIT', { fields });
}

/**
 * Refuses an uploaded file that would replace an edition's file, if no copies can be made of it: buyers would lose the
 * edition. The edition's file and its copies stay.
 * @throws AppError EDITION_UNFIT
 */
export async function validateReplacement(
	deps: Deps,
	locale: Locale,
	replacedId: string,
	blob: Pick<NewBlob, 'storageKey' | 'sizeBytes' | 'contentType'>,
): Promise<void> {
	if (!Object.values(await getEditionFiles(deps.db)).includes(replacedId)) return;
	const reason =
		blob.contentType === 'application/pdf'
			? await findPdfFailure(deps, blob).then((failure) => failure && describePdfFailure(failure, locale))
			: translate('error_edition_not_pdf_content', locale);
	if (reason === null) return;
	throw new AppError('EDITION_UNFIT', { messageKey: 'error_edition_replacement', params: { reason } });
}

async function findFileFailure(deps: Deps, fileId: string): Promise<string | null> {
	const node = await findLiveNode(deps.db, fileId);
	const blob = node?.blob_id ? await findBlob(deps.db, node.blob_id) : undefined;
	// A file of another type is refused elsewhere, with EDITION_NOT_PDF.
	if (blob?.content_type !== 'application/pdf') return null;
	return findPdfFailure(deps, { storageKey: blob.storage_key, sizeBytes: blob.size_bytes });
}

/** Returns why no copies can be made of a stored PDF; null if they can, or if it cannot be checked quickly. */
async function findPdfFailure(
	deps: Deps,
	{ storageKey, sizeBytes }: Pick<NewBlob, 'storageKey' | 'sizeBytes'>,
): Promise<string | null> {
	if (sizeBytes > validationMaxBytes) return null;
	try {
		await withTemporaryFolder(deps, (folder) => checkPdf(deps.storage, { storageKey, folder }, validationLimits));
		return null;
	} catch (error) {
		if (!(error instanceof PdfError)) throw error;
		return error.reason === 'heavy' ? null : error.failure;
	}
}

/** Returns why no copy of an edition can be made, by edition. */
export async function listEditionProblems(db: Db, locale: Locale): Promise<Map<EditionKey, string>> {
	const problems = new Map<EditionKey, string>();
	for (const [key, original] of await findOriginals(db)) {
		const failure = await findCopyFailure(db, key, original.id);
		if (failure !== null) problems.set(key, describePdfFailure(failure, locale));
	}
	return problems;
}
