import {
	type EditionKey,
	editionKey,
	findLanguage,
	offeredEditions,
	partAndLanguage,
	partName,
} from '#contract/book/editions.ts';
import type { BookAccess, ShelfEdition } from '#contract/book/shelf.ts';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { findLiveNode } from '../../files/index.ts';
import { getBookAccess } from '../access/access.service.ts';
import { prioritizeCopies } from '../book.jobs.ts';
import { type Book, getBook } from '../content/content.service.ts';
import { presentReadingPosition } from '../reading/reading.presenter.ts';
import { findReadingPosition } from '../reading/reading.queries.ts';
import {
	type CopyPlan,
	findOriginals,
	findServableCopy,
	isCopyDue,
	type Original,
	planCopies,
} from '../watermark/copy-plan.ts';

interface ShelfCaller {
	actor: Pick<Actor, 'userId' | 'role'>;
}

/** Returns a user's access and the available editions. Enqueues a member's missing copies with priority. */
export async function getShelf(deps: Deps, caller: ShelfCaller) {
	const book = await getBook(deps, deps.db);
	const access = await getAccessOfCaller(deps, caller);
	const { userId } = caller.actor;
	let editions: PresentedEdition[];
	if (caller.actor.role === 'admin') {
		editions = [...(await findOriginals(deps.db))].map(([key, blob]) => presentOriginal(key, blob));
	} else {
		const plans = await planCopies(deps, userId);
		if (plans.some(isCopyDue)) await prioritizeCopies(deps, userId);
		editions = plans.map((plan) => presentCopy(book, plan));
	}
	const offered = offeredEditions(book);
	return { title: book.title, access, offered, editions: await withReadingPositions(deps, userId, editions) };
}

/** Returns the book. @throws AppError NOT_FOUND if the caller may not read the edition or it has no file */
export async function requireEdition(deps: Deps, caller: ShelfCaller, key: EditionKey): Promise<Book> {
	if ((await getAccessOfCaller(deps, caller)) !== 'open') throw new AppError('NOT_FOUND');
	const book = await getBook(deps, deps.db);
	required(await findLiveNode(deps.db, book.editions[key] ?? ''), 'NOT_FOUND');
	return book;
}

export async function listEditionKeys(deps: Deps): Promise<EditionKey[]> {
	return [...(await findOriginals(deps.db)).keys()];
}

/** Returns a user's access and the readable editions. Enqueues no copies. */
export async function getReadableEditions(deps: Deps, caller: ShelfCaller) {
	const access = await getAccessOfCaller(deps, caller);
	const keys = access === 'open' ? await listEditionKeys(deps) : [];
	return { access, editions: keys.map((key) => ({ key, ...partAndLanguage(key) })) };
}

type PresentedEdition = Omit<ShelfEdition, 'place'>;

async function withReadingPositions(deps: Deps, userId: string, editions: PresentedEdition[]): Promise<ShelfEdition[]> {
	return Promise.all(
		editions.map(async (edition) => {
			const position = await findReadingPosition(deps.db, userId, edition.key);
			return { ...edition, place: position === undefined ? null : presentReadingPosition(position) };
		}),
	);
}

function presentOriginal(key: EditionKey, blob: Original): PresentedEdition {
	return {
		key,
		...partAndLanguage(key),
		copy: { state: 'ready' },
		size: blob.size_bytes,
		pageCount: null,
		version: blob.id,
		url: editionUrl(key, blob.id),
		mayDownload: true,
	};
}

function presentCopy(book: Book, plan: CopyPlan): PresentedEdition {
	const { edition: key } = plan.target;
	const served = findServableCopy(plan);
	return {
		key,
		...partAndLanguage(key),
		copy: served === null ? copyState(plan) : { state: 'ready' },
		size: served?.size_bytes ?? plan.original.size_bytes,
		pageCount: served?.pageCount ?? null,
		version: served?.id ?? null,
		url: editionUrl(key, served?.id ?? null),
		mayDownload: book.downloads.includes(key),
	};
}

function copyState(plan: CopyPlan): ShelfEdition['copy'] {
	if (!isCopyDue(plan)) return { state: 'failed' };
	const isForTarget = plan.row?.wanted_source_id === plan.target.sourceId;
	return { state: 'making', percent: isForTarget ? (plan.row?.percent ?? 0) : 0 };
}

function editionUrl(key: EditionKey, version: string | null): string {
	return `/api/editions/${key}/content${version === null ? '' : `?v=${version}`}`;
}

interface EditionRequest {
	key: string;
	version?: string | undefined;
	isDownload: boolean;
}

/**
 * Returns the content of an edition. A member gets their own watermarked copy, never the original.
 * @throws AppError NOT_FOUND for an absent or forbidden edition, a missing copy, a `version` that is not the current
 * one, and a download that the owner does not allow
 */
export async function requireEditionContent(deps: Deps, caller: ShelfCaller, editionRequest: EditionRequest) {
	const key = required(editionKey.safeParse(editionRequest.key).data, 'NOT_FOUND');
	const book = await getBook(deps, deps.db);
	const isAdmin = caller.actor.role === 'admin';
	if (editionRequest.isDownload && !isAdmin && !book.downloads.includes(key)) throw new AppError('NOT_FOUND');
	// Without book access, no copy is found.
	const blob = isAdmin ? (await findOriginals(deps.db)).get(key) : await findCopyOf(deps, caller.actor.userId, key);
	if (blob === undefined || (editionRequest.version !== undefined && editionRequest.version !== blob.id))
		throw new AppError('NOT_FOUND');
	return { fileName: fileNameOf(book, key), blob };
}

/** Returns a file name in the edition's language, or in English: `Build Your Empire – Part 1 (English).pdf`. */
function fileNameOf(book: Book, key: EditionKey): string {
	const { part, language } = partAndLanguage(key);
	const offered = offeredEditions(book);
	const locale = language === 'hi' ? 'hi' : 'en';
	const partLabel = (number: number) => translate('reader_part', locale, { part: String(number) });
	const ofPart = offered.parts.length > 1 ? ` – ${partName(offered, part, { locale, partLabel })}` : '';
	const inLanguage = offered.languages.length > 1 ? ` (${findLanguage(offered, language).name})` : '';
	return `${book.title}${ofPart}${inLanguage}.pdf`;
}

async function findCopyOf(deps: Deps, userId: string, key: EditionKey) {
	const plan = (await planCopies(deps, userId)).find(({ target }) => target.edition === key);
	return (plan && findServableCopy(plan)) ?? undefined;
}

async function getAccessOfCaller(deps: Deps, caller: ShelfCaller): Promise<BookAccess> {
	return caller.actor.role === 'admin' ? 'open' : getBookAccess(deps.db, caller.actor.userId);
}
