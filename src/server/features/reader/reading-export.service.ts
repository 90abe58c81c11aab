import type { ReadingExportFormat, ReadingMark } from '#contract/reader/reading.ts';
import { editionKeys } from '#contract/settings/book-settings.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { letOthers } from '../../platform/turns.ts';
import { markdownHead, markdownOf } from './reading.markdown.ts';
import { presentMarks } from './reading.presenting.ts';
import { listMarkedDocuments, listMarks } from './reading.queries.ts';
import { findDocument } from './reading-documents.service.ts';

interface MarkedDocument {
	document: string;
	name: string;
	marks: ReadingMark[];
}

/** The caller's marks as a file in their language, in pieces: never more than one document's are held. */
export function exportMarks(deps: Deps, caller: MemberCaller, format: ReadingExportFormat): AsyncGenerator<string> {
	return format === 'md' ? writeMarkdown(deps, caller) : writeJson(deps, caller);
}

async function* writeMarkdown(deps: Deps, caller: MemberCaller): AsyncGenerator<string> {
	const reader = { locale: caller.locale, timeZone: deps.config.TIME_ZONE };
	yield markdownHead(isoAt(deps.clock), reader);
	for await (const { name, marks } of markedDocuments(deps, caller)) yield markdownOf(name, marks, reader);
}

async function* writeJson(deps: Deps, caller: MemberCaller): AsyncGenerator<string> {
	yield `{\n\t"exportedAt": ${JSON.stringify(isoAt(deps.clock))},\n\t"documents": [`;
	let separator = '\n\t\t';
	for await (const each of markedDocuments(deps, caller)) {
		yield separator + JSON.stringify(each);
		separator = ',\n\t\t';
	}
	yield '\n\t]\n}\n';
}

/** What the caller may still read of it; each is looked up when its turn comes. */
async function* markedDocuments(deps: Deps, caller: MemberCaller): AsyncGenerator<MarkedDocument> {
	const { userId } = caller.actor;
	const marked = await listMarkedDocuments(deps.db, userId);
	// The book comes first, in the order of its editions.
	const books = editionKeys.filter((key) => marked.includes(key));
	for (const id of new Set([...books, ...marked])) {
		const document = await findDocument(deps, caller, id);
		if (document === null) continue;
		const marks = presentMarks(await listMarks(deps.db, userId, id));
		if (marks.length > 0) yield { document: id, name: document.nameIn(caller.locale), marks };
		await letOthers();
	}
}
