import { bookDefaults, type EditionKey, editionKey, partAndLanguage } from '#contract/book/book-settings.ts';
import { type Locale, languageNames } from '#contract/core/text.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { requireNode } from '../../sharing/index.ts';
import { requireEditionTitle } from '../shelf/shelf.service.ts';

interface ReadableDocument {
	id: string;
	/** Id of the file; null for an edition, whose file may change. */
	nodeId: string | null;
	nameIn: (locale: Locale) => string;
}

/** @throws AppError NOT_FOUND for an absent or forbidden document, and for a file that is not a PDF */
export async function requireReadableDocument(deps: Deps, caller: MemberCaller, id: string): Promise<ReadableDocument> {
	const { data: key } = editionKey.safeParse(id);
	if (key !== undefined) {
		const title = await requireEditionTitle(deps, caller, key);
		return { id, nodeId: null, nameIn: (locale) => editionName(title, key, locale) };
	}
	const node = await requireNode(deps.db, caller, id);
	if (node.kind !== 'file' || previewOf(node.name, node.contentType) !== 'pdf') throw new AppError('NOT_FOUND');
	return { id: node.id, nodeId: node.id, nameIn: () => node.name };
}

/** Returns a name such as `Build Your Empire – Part 1, English`. Only the default title is translated. */
function editionName(title: string, key: EditionKey, locale: Locale): string {
	const { part, language } = partAndLanguage(key);
	const localizedTitle = title === bookDefaults.title ? translate('screen_landing', language) : title;
	const edition = { part: String(part), language: languageNames[language] };
	return `${localizedTitle} – ${translate('reader_edition', locale, edition)}`;
}
