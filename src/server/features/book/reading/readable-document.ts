import { bookDefaults, type EditionKey, editionKey, partAndLanguage } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { requireNode } from '../../sharing/index.ts';
import { requireEditionFile } from '../shelf/shelf.service.ts';

/** A document that the caller may currently read. */
interface ReadableDocument {
	/** The edition's key, or the file's id. */
	id: string;
	/** Id of the file; null for an edition, whose file may change. */
	nodeId: string | null;
	nameIn: (locale: Locale) => string;
}

/** @throws AppError NOT_FOUND for an absent document, a forbidden one, and a file that is not a PDF alike */
export async function requireReadableDocument(deps: Deps, caller: MemberCaller, id: string): Promise<ReadableDocument> {
	if (editionKey.safeParse(id).success) {
		const { key, title } = await requireEditionFile(deps, caller, id);
		return { id: key, nodeId: null, nameIn: (locale) => editionName(title, key, locale) };
	}
	const node = await requireNode(deps.db, caller, id);
	if (node.kind !== 'file' || previewOf(node.name, node.contentType) !== 'pdf') throw new AppError('NOT_FOUND');
	return { id: node.id, nodeId: node.id, nameIn: () => node.name };
}

/** The same for a list: returns null for a document that can no longer be read. */
export async function findReadableDocument(
	deps: Deps,
	caller: MemberCaller,
	id: string,
): Promise<ReadableDocument | null> {
	try {
		return await requireReadableDocument(deps, caller, id);
	} catch (error) {
		if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
		throw error;
	}
}

/** `Build Your Empire – Part 1, English`: only the default title has a Hindi form. */
function editionName(title: string, key: EditionKey, locale: Locale): string {
	const { part, language } = partAndLanguage(key);
	const own = title === bookDefaults.title ? translate('screen_landing', language) : title;
	const languageName = translate(`reader_language_${language}`, locale);
	return `${own} – ${translate('reader_edition', locale, { part: String(part), language: languageName })}`;
}
