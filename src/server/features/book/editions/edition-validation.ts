import type { EditionKey } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { PdfError, type PdfFailure, watermarkPdf } from '../../../platform/pdf/watermark.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import { withTemporaryFolder } from '../../../platform/storage/temporary-folder.ts';
import { findLiveNode } from '../../files/index.ts';
import { findBlobsOfNodes, findCopyFailure } from './editions.queries.ts';
import { failureMessageKey, getEditionFiles } from './editions.service.ts';

/** Larger files are checked only by the watermark jobs, because the owner waits for the response. */
const validationMaxBytes = 64 * 1024 * 1024;
const validationLimits = { workMs: 8000, longestMs: 10_000, mostBytes: 380 * 1024 * 1024 };

/**
 * Refuses newly assigned files that need a password, have no pages or are damaged, because no copies can be made of
 * them. A file that cannot be checked quickly is accepted.
 * @throws AppError EDITION_UNFIT
 */
export async function validateEditionFiles(
	deps: Deps,
	editions: ReadonlyArray<{ key: EditionKey; fileId: string | null }>,
): Promise<void> {
	const current = await getEditionFiles(deps.db);
	const fields: Record<string, string> = {};
	for (const { key, fileId } of editions) {
		if (fileId === null || fileId === current[key]) continue;
		const failure = await findFileFailure(deps, fileId);
		if (failure !== null) fields[`editions.${key}`] = failureMessageKey(failure);
	}
	if (Object.keys(fields).length > 0) throw new AppError('EDITION_UNFIT', { fields });
}

async function findFileFailure(deps: Deps, fileId: string): Promise<PdfFailure | null> {
	const node = await findLiveNode(deps.db, fileId);
	const blob = node?.blob_id ? await findBlob(deps.db, node.blob_id) : undefined;
	// A file of another type is refused elsewhere, with EDITION_NOT_PDF.
	if (blob?.content_type !== 'application/pdf' || blob.size_bytes > validationMaxBytes) return null;
	try {
		await withTemporaryFolder(deps, (folder) =>
			watermarkPdf(deps.storage, { storageKey: blob.storage_key, line: null, folder }, validationLimits),
		);
		return null;
	} catch (error) {
		if (!(error instanceof PdfError)) throw error;
		return error.reason === 'heavy' ? null : error.reason;
	}
}

export async function listEditionProblems(db: Db, editions: Partial<Record<EditionKey, string>>, locale: Locale) {
	const assigned = Object.entries(editions) as Array<[EditionKey, string]>;
	const ids = assigned.map(([, id]) => id);
	const blobs = new Map(
		(ids.length === 0 ? [] : await findBlobsOfNodes(db, ids)).map((row) => [row.nodeId, row.blobId]),
	);
	const problems = new Map<EditionKey, string>();
	for (const [key, id] of assigned) {
		const source = blobs.get(id);
		const failure = source === undefined ? null : await findCopyFailure(db, key, source);
		if (failure !== null) problems.set(key, translate(failureMessageKey(failure), locale));
	}
	return problems;
}
