import { editionKeys } from '#contract/book/book-settings.ts';
import type { ReadingExportFormat } from '#contract/book/reading.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { ignoreNotFound } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { documentToMarkdown, markdownHeader } from './annotation-markdown.ts';
import { requireReadableDocument } from './readable-document.ts';
import { presentAnnotations } from './reading.presenter.ts';
import { listAnnotatedDocuments, listAnnotations } from './reading.queries.ts';

/** Exports the caller's annotations in their language; the limits of annotations also limit the size of the text. */
export async function exportAnnotations(
	deps: Deps,
	caller: MemberCaller,
	format: ReadingExportFormat,
): Promise<string> {
	const exportedAt = isoAt(deps.clock);
	const documents = await listReadableDocuments(deps, caller);
	if (format === 'json') return JSON.stringify({ exportedAt, documents });
	const reader = { locale: caller.locale, timeZone: deps.config.TIME_ZONE };
	const sections = documents.map(({ name, marks }) => documentToMarkdown(name, marks, reader));
	return markdownHeader(exportedAt, reader) + sections.join('');
}

/** Lists the annotated documents that the caller may still read, each with its annotations. */
async function listReadableDocuments(deps: Deps, caller: MemberCaller) {
	const { userId } = caller.actor;
	const documentIds = await listAnnotatedDocuments(deps.db, userId);
	// Editions come first, in their own order.
	const books = editionKeys.filter((key) => documentIds.includes(key));
	const documents = [];
	for (const id of new Set([...books, ...documentIds])) {
		const document = await requireReadableDocument(deps, caller, id).catch(ignoreNotFound);
		if (document === null) continue;
		const marks = presentAnnotations(await listAnnotations(deps.db, userId, id));
		documents.push({ document: id, name: document.nameIn(caller.locale), marks });
	}
	return documents;
}
