import { bookDefaults, type EditionKey, editionKey, partAndLanguage } from '#contract/book/book-settings.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { requireNode } from '../../sharing/index.ts';
import { requireEditionFile } from '../shelf/shelf.service.ts';

/** Something that the caller may read at this moment. */
export interface ReadableDocument {
	/** The edition's key, or the file's id. */
	id: string;
	/** Of a file; null for an edition, which may be another file tomorrow. */
	nodeId: string | null;
	/** What it is called in a language. */
	nameIn: (locale: Locale) => string;
}

/** @throws AppError NOT_FOUND, alike for absent and forbidden, and for what is no PDF */
export async function requireReadableDocument(deps: Deps, caller: MemberCaller, id: string): Promise<ReadableDocument> {
	if (editionKey.safeParse(id).success) {
		const { key, title } = await requireEditionFile(deps, caller, id);
		return { id: key, nodeId: null, nameIn: (locale) => editionName(title, key, locale) };
	}
	const node = await requireNode(deps.db, caller, id);
	if (node.kind !== 'file' || previewOf(node.name, node.contentType) !== 'pdf') throw new AppError('NOT_FOUND');
	return { id: node.id, nodeId: node.id, nameIn: () => node.name };
}

/** The same for a list: null where there is nothing to be read any more. */
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

/** `Build Your Empire – Part 1, English`: the default title has a Hindi form, an owner's own stands as it is. */
function editionName(title: string, key: EditionKey, locale: Locale): string {
	const { part, language } = partAndLanguage(key);
	const own = title === bookDefaults.title ? translate('screen_landing', language) : title;
	const languageName = translate(`reader_language_${language}`, locale);
	return `${own} – ${translate('reader_edition', locale, { part: String(part), language: languageName })}`;
}
