import { listEditionKeys } from '#contract/book/editions.ts';
import type { ReadingExportFormat } from '#contract/book/reading.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { ignoreNotFound } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { getBook } from '../content/content.service.ts';
import { documentToMarkdown, markdownHeader } from './annotation-markdown.ts';
import { requireReadableDocument } from './readable-document.ts';
import { presentAnnotations } from './reading.presenter.ts';
import { listAnnotatedDocuments, listAnnotations } from './reading.queries.ts';

/** Exports the caller's annotations as chunks of text. Only one document is in memory at a time. */
export function exportAnnotations(deps: Deps, caller: MemberCaller, format: ReadingExportFormat) {
	return format === 'md' ? writeMarkdown(deps, caller) : writeJson(deps, caller);
}

async function* writeMarkdown(deps: Deps, caller: MemberCaller): AsyncGenerator<string> {
	const reader = { locale: caller.locale, timeZone: deps.config.TIME_ZONE };
	yield markdownHeader(isoAt(deps.clock), reader);
	for await (const { name, marks } of annotatedDocuments(deps, caller)) yield documentToMarkdown(name, marks, reader);
}

async function* writeJson(deps: Deps, caller: MemberCaller): AsyncGenerator<string> {
	yield `{\n\t"exportedAt": ${JSON.stringify(isoAt(deps.clock))},\n\t"documents": [`;
	let separator = '\n\t\t';
	for await (const annotatedDocument of annotatedDocuments(deps, caller)) {
		yield separator + JSON.stringify(annotatedDocument);
		separator = ',\n\t\t';
	}
	yield '\n\t]\n}\n';
}

/** Yields the annotated documents that the caller may still read. Checks access just before it reads each document. */
async function* annotatedDocuments(deps: Deps, caller: MemberCaller) {
	const { userId } = caller.actor;
	const documentIds = await listAnnotatedDocuments(deps.db, userId);
	// The editions of the book come first, in their order.
	const books = listEditionKeys(await getBook(deps, deps.db)).filter((key) => documentIds.includes(key));
	for (const id of new Set([...books, ...documentIds])) {
		const document = await requireReadableDocument(deps, caller, id).catch(ignoreNotFound);
		if (document === null) continue;
		const marks = presentAnnotations(await listAnnotations(deps.db, userId, id));
		if (marks.length > 0) yield { document: id, name: document.nameIn(caller.locale), marks };
		await yieldToEventLoop();
	}
}
