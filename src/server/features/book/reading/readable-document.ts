import {
	type EditionKey,
	editionKey,
	formatEditionLabel,
	offeredEditions,
	partAndLanguage,
} from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import { previewOf } from '#contract/files/file-types.ts';
import { localizeTitle, type SiteIdentity } from '#contract/storefront/site-identity.ts';
import type { MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';
import { requireNode } from '../../sharing/index.ts';
import type { Book } from '../content/content.service.ts';
import { requireEdition } from '../shelf/shelf.service.ts';

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
		const book = await requireEdition(deps, caller, key);
		const identity = await siteIdentity()(deps);
		return { id, nodeId: null, nameIn: (locale) => editionName(identity, book, key, locale) };
	}
	const node = await requireNode(deps.db, caller, id);
	if (node.kind !== 'file' || previewOf(node.name, node.contentType) !== 'pdf') throw new AppError('NOT_FOUND');
	return { id: node.id, nodeId: node.id, nameIn: () => node.name };
}

/** Returns a name such as `Build Your Empire – Part 1, English`. */
function editionName(site: SiteIdentity, book: Book, key: EditionKey, locale: Locale): string {
	const identity = partAndLanguage(key);
	const title = localizeTitle(site, book.title, identity.language === 'hi' ? 'hi' : 'en');
	const partLabel = (part: number) => translate('reader_part', locale, { part: String(part) });
	const label = formatEditionLabel(offeredEditions(book), identity, { locale, partLabel });
	return label === '' ? title : `${title} – ${label}`;
}
