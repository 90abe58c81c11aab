import { bookParts, type EditionOutline, type PartOutlines } from '#contract/reader/outline-pairs.ts';
import { type HandPair, type Outline, type OutlineEntry, pairOutlines } from '#contract/reader/pair-outlines.ts';
import { editionKeys, partAndLanguage } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { textOf } from '../../platform/messages.ts';
import { findOriginals } from '../copies/copies.service.ts';
import { getShelf } from '../reader/reader.service.ts';
import { wordsOfFault } from '../settings/editions.service.ts';
import { changeSetting, readSetting, type Setting } from '../settings/saved-settings.service.ts';
import { findPairs, type KeptPair, keepPairs } from './outlines.kept.ts';
import * as queries from './outlines.queries.ts';
import { hurryOutlines } from './outlines.wish.service.ts';

type Part = (typeof bookParts)[number];

/** What the owner has decided, by the part's number. */
type StoredPairs = Partial<Record<Part, KeptPair[]>>;

const setting: Setting<StoredPairs> = { key: 'outline-pairs', defaults: {} };

/** What is known of one edition's file. */
type Known =
	| { state: 'reading'; id: string }
	| { state: 'failed'; id: string; failure: string }
	| ({ state: 'ready'; id: string; entries: OutlineEntry[] } & Outline);

interface KnownPart {
	part: Part;
	en: Known | null;
	hi: Known | null;
}

/** The outlines of the editions with what was decided by hand. Those that are not known yet are read now. */
export async function getOutlinePairs(deps: Deps, locale: Locale): Promise<{ parts: PartOutlines[]; version: number }> {
	const parts = await findParts(deps.db);
	await readMissing(deps, parts);
	const { value, version } = await readSetting(deps.db, setting);
	return {
		version,
		parts: parts.map(({ part, en, hi }) => ({
			part,
			en: presentOutline(en, locale),
			hi: presentOutline(hi, locale),
			byHand:
				en?.state === 'ready' && hi?.state === 'ready' ? findPairs(en.entries, hi.entries, value[part] ?? []) : [],
		})),
	};
}

export interface PairsInput {
	parts: Array<{ part: Part; en: string; hi: string; byHand: HandPair[] }>;
	version: number;
}

/** Saves what was decided by hand; live for readers at once. @throws AppError STALE, INVALID_INPUT */
export async function saveOutlinePairs(deps: Deps, caller: Caller, input: PairsInput): Promise<{ version: number }> {
	const { version } = input;
	const saved = await changeSetting(deps, caller, setting, {
		version,
		change: async (tx, stored) => {
			const known = await findParts(tx);
			return { ...stored, ...Object.fromEntries(input.parts.map((part) => [part.part, decide(part, known)])) };
		},
		action: 'outline-pairs-saved',
		tell: (all) => ({ pairs: bookParts.reduce((sum, part) => sum + (all[part]?.length ?? 0), 0) }),
	});
	deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	return saved;
}

function decide({ part, en, hi, byHand }: PairsInput['parts'][number], known: KnownPart[]): KeptPair[] {
	const now = known.find((each) => each.part === part);
	// What was looked at is not what is there.
	if (now?.en?.state !== 'ready' || now.hi?.state !== 'ready') throw new AppError('STALE');
	if (now.en.id !== en || now.hi.id !== hi) throw new AppError('STALE');
	const fields: Record<string, string> = {};
	const isThere = (entries: OutlineEntry[], id: string) => entries.some((entry) => entry.id === id);
	for (const [index, pair] of byHand.entries()) {
		const before = byHand.slice(0, index);
		const isKnown = isThere(now.en.entries, pair.en) && (pair.hi === null || isThere(now.hi.entries, pair.hi));
		const isTwice = before.some((other) => other.en === pair.en || (pair.hi !== null && other.hi === pair.hi));
		if (!isKnown) fields[`${part}.${pair.en}`] = 'error_outline_entry_gone';
		else if (isTwice) fields[`${part}.${pair.en}`] = 'error_outline_entry_taken';
	}
	if (Object.keys(fields).length > 0) throw new AppError('INVALID_INPUT', { fields });
	return keepPairs(now.en.entries, now.hi.entries, byHand);
}

/** The pairs of the parts that a person may read in both languages; none for whom the book is closed. */
export async function listOutlinePairs(deps: Deps, caller: { actor: Pick<Actor, 'userId' | 'role'> | null }) {
	if ((await getShelf(deps, caller)).access !== 'open') return { parts: [] };
	const parts = await findParts(deps.db);
	await readMissing(deps, parts);
	const { value } = await readSetting(deps.db, setting);
	return {
		parts: parts.flatMap(({ part, en, hi }) => {
			if (en?.state !== 'ready' || hi?.state !== 'ready') return [];
			const byHand = findPairs(en.entries, hi.entries, value[part] ?? []);
			return [{ part, pairs: pairOutlines(en, hi, byHand).map((pair) => ({ en: pair.en, hi: pair.hi })) }];
		}),
	};
}

async function findParts(db: Db): Promise<KnownPart[]> {
	const originals = await findOriginals(db);
	const ids = [...originals.values()].map(({ id }) => id);
	const rows = new Map((ids.length === 0 ? [] : await queries.listOutlines(db, ids)).map((row) => [row.blob_id, row]));
	const knownOf = (part: Part, language: Locale): Known | null => {
		const key = editionKeys.find((each) => {
			const edition = partAndLanguage(each);
			return edition.part === part && edition.language === language;
		});
		const original = key === undefined ? undefined : originals.get(key);
		if (original === undefined) return null;
		const { id } = original;
		const row = rows.get(id);
		if (row === undefined) return { state: 'reading', id };
		if (row.entries === null) return { state: 'failed', id, failure: row.failure ?? '' };
		const entries = JSON.parse(row.entries) as OutlineEntry[];
		return { state: 'ready', id, entries, pageCount: row.page_count ?? 0 };
	};
	return bookParts.map((part) => ({ part, en: knownOf(part, 'en'), hi: knownOf(part, 'hi') }));
}

async function readMissing(deps: Deps, parts: KnownPart[]): Promise<void> {
	if (parts.some(({ en, hi }) => en?.state === 'reading' || hi?.state === 'reading')) await hurryOutlines(deps);
}

function presentOutline(known: Known | null, locale: Locale): EditionOutline | null {
	if (known === null) return null;
	if (known.state === 'reading') return { state: 'reading' };
	if (known.state === 'failed') return { state: 'failed', problem: textOf(wordsOfFault(known.failure), locale) };
	const { id, pageCount, entries } = known;
	return { state: 'ready', id, pageCount, entries: entries.map(({ id, title, page }) => ({ id, title, page })) };
}
