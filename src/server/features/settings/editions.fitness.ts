import { type EditionKey, editionKeys } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { textOf } from '../../platform/messages.ts';
import { MarkError, type MarkFailure, markPdf } from '../../platform/pdf/mark.ts';
import { withScratch } from '../../platform/scratch.ts';
import { findCopyFailure } from '../copies/copies.failure.service.ts';
import { findBlob, findLiveNode } from '../files/files.service.ts';
import { findBlobsOfNodes } from './editions.queries.ts';
import { findEditionFiles, wordsOfFault } from './editions.service.ts';

/** A larger file is not looked into while the owner waits: the copies tell. */
const quickBytes = 64 * 1024 * 1024;
const quickBounds = { workMs: 8000, longestMs: 10_000, mostBytes: 380 * 1024 * 1024 };

/**
 * Looks into files that are newly assigned: no copies can be made of one that asks for a password, has no pages or is
 * damaged. What cannot be found out quickly is let through. @throws AppError EDITION_UNFIT
 */
export async function requireFitEditions(
	deps: Deps,
	editions: ReadonlyArray<{ key: EditionKey; fileId: string | null }>,
): Promise<void> {
	const current = await findEditionFiles(deps.db);
	const fields: Record<string, string> = {};
	for (const { key, fileId } of editions) {
		if (fileId === null || fileId === current[key]) continue;
		const failure = await findFault(deps, fileId);
		if (failure !== null) fields[`editions.${key}`] = wordsOfFault(failure);
	}
	if (Object.keys(fields).length > 0) throw new AppError('EDITION_UNFIT', { fields });
}

async function findFault(deps: Deps, fileId: string): Promise<MarkFailure | null> {
	const node = await findLiveNode(deps.db, fileId);
	const blob = node?.blob_id ? await findBlob(deps.db, node.blob_id) : undefined;
	// Anything but a PDF is refused in other words.
	if (blob?.content_type !== 'application/pdf' || blob.size_bytes > quickBytes) return null;
	try {
		await withScratch(deps, (folder) =>
			markPdf(deps.storage, { storageKey: blob.storage_key, line: null, folder }, quickBounds),
		);
		return null;
	} catch (error) {
		if (!(error instanceof MarkError)) throw error;
		return error.reason === 'heavy' ? null : error.reason;
	}
}

/** Why no copies can be made of the files that are assigned, in words. */
export async function findEditionProblems(
	db: Db,
	editions: Partial<Record<EditionKey, string>>,
	locale: Locale,
): Promise<Map<EditionKey, string>> {
	const ids = Object.values(editions);
	const blobs = new Map(
		(ids.length === 0 ? [] : await findBlobsOfNodes(db, ids)).map((row) => [row.nodeId, row.blobId]),
	);
	const problems = new Map<EditionKey, string>();
	for (const key of editionKeys) {
		const source = blobs.get(editions[key] ?? '');
		const failure = source === undefined ? null : await findCopyFailure(db, key, source);
		if (failure !== null) problems.set(key, textOf(wordsOfFault(failure), locale));
	}
	return problems;
}
