import { type chapterMatching, type EditionOutline, matchesKeyOf } from '#contract/book/chapter-matching.ts';
import { editionKeyOf } from '#contract/book/editions.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Locale } from '#contract/core/text.ts';
import { matchChapters, type Outline, type OutlineEntry } from '#shared/chapter-matching.ts';
import type { Caller, MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getSetting, type StoredSetting, updateSetting } from '../../settings/index.ts';
import { prioritizeOutlines } from '../book.jobs.ts';
import * as queries from '../editions/editions.queries.ts';
import { describePdfFailure, getStoredEditions } from '../editions/editions.service.ts';
import { getReadableEditions } from '../shelf/shelf.service.ts';
import { findOriginals } from '../watermark/copy-plan.ts';
import { resolveMatches, type StoredMatch, toStoredMatches } from './stored-matches.ts';

/** By {@link matchesKeyOf}. */
type StoredMatches = Record<string, StoredMatch[]>;

const setting: StoredSetting<StoredMatches> = { key: 'outline-pairs', defaults: {} };

type OutlineState =
	| { state: 'reading'; id: string }
	| { state: 'failed'; id: string; failure: string }
	| ({ state: 'ready'; id: string; entries: OutlineEntry[] } & Outline);

/** A part in its first language (`en`) and in another one (`hi`). */
type PartOutlineStates = Awaited<ReturnType<typeof listParts>>[number];

/** Returns the editions' outlines with the manual matches. Enqueues a job that reads missing outlines. */
export async function getChapterMatching(deps: Deps, locale: Locale) {
	const { parts, version } = await loadParts(deps);
	return {
		version,
		parts: parts.map((part) => ({
			...part,
			en: presentOutline(part.en, locale),
			hi: presentOutline(part.hi, locale),
		})),
	};
}

/** Saves the manual matches; readers see them at once. @throws AppError STALE, INVALID_INPUT */
export async function saveChapterMatching(deps: Deps, caller: Caller, input: InputOf<typeof chapterMatching.save>) {
	const { version } = input;
	const saved = await updateSetting(deps, caller, setting, {
		version,
		change: async (tx, stored) => {
			const known = await listParts(tx);
			return {
				...stored,
				...Object.fromEntries(input.parts.map((part) => toValidatedMatches(part, known))),
			};
		},
		action: 'outline-pairs-saved',
		auditDetail: (all) => ({ pairs: Object.values(all).reduce((sum, pairs) => sum + pairs.length, 0) }),
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	return saved;
}

function toValidatedMatches(
	{ part, language, en, hi, byHand }: InputOf<typeof chapterMatching.save>['parts'][number],
	known: PartOutlineStates[],
): [key: string, matches: StoredMatch[]] {
	const now = known.find((states) => states.part === part && states.language === (language ?? states.language));
	// The outlines have changed since the owner loaded the page.
	if (now?.en?.state !== 'ready' || now.hi?.state !== 'ready') throw new AppError('STALE');
	if (now.en.id !== en || now.hi.id !== hi) throw new AppError('STALE');
	const key = matchesKeyOf(now);
	const fields: Record<string, string> = {};
	const isInOutline = (entries: OutlineEntry[], id: string) => entries.some((entry) => entry.id === id);
	for (const [index, pair] of byHand.entries()) {
		const before = byHand.slice(0, index);
		const isKnown = isInOutline(now.en.entries, pair.en) && (pair.hi === null || isInOutline(now.hi.entries, pair.hi));
		const isTwice = before.some((other) => other.en === pair.en || (pair.hi !== null && other.hi === pair.hi));
		if (!isKnown) fields[`${key}.${pair.en}`] = 'error_outline_entry_gone';
		else if (isTwice) fields[`${key}.${pair.en}`] = 'error_outline_entry_taken';
	}
	if (Object.keys(fields).length > 0) throw new AppError('INVALID_INPUT', { fields });
	return [key, toStoredMatches(now.en.entries, now.hi.entries, byHand)];
}

/** Lists the matches of the parts that a user can read in several languages; none without book access. */
export async function listChapterMatches(deps: Deps, caller: MemberCaller) {
	if ((await getReadableEditions(deps, caller)).access !== 'open') return { parts: [] };
	const { parts } = await loadParts(deps);
	return {
		parts: parts.flatMap(({ en, hi, byHand, ...matched }) =>
			en?.state === 'ready' && hi?.state === 'ready' ? [{ ...matched, pairs: matchChapters(en, hi, byHand) }] : [],
		),
	};
}

/** Returns the outlines with the manual matches. Enqueues a job that reads missing outlines. */
async function loadParts(deps: Deps) {
	const parts = await listParts(deps.db);
	if (parts.some(({ en, hi }) => en?.state === 'reading' || hi?.state === 'reading')) await prioritizeOutlines(deps);
	const { value, version } = await getSetting(deps.db, setting);
	const matchesOf = (part: PartOutlineStates) =>
		part.en?.state === 'ready' && part.hi?.state === 'ready'
			? resolveMatches(part.en.entries, part.hi.entries, value[matchesKeyOf(part)] ?? [])
			: [];
	return { version, parts: parts.map((part) => ({ ...part, byHand: matchesOf(part) })) };
}

async function listParts(db: Db) {
	const { parts, languages } = await getStoredEditions(db);
	const originals = await findOriginals(db);
	const ids = [...originals.values()].map(({ id }) => id);
	const rows = new Map((ids.length === 0 ? [] : await queries.listOutlines(db, ids)).map((row) => [row.blob_id, row]));
	const outlineStateOf = (part: number, language: string): OutlineState | null => {
		const original = originals.get(editionKeyOf({ part, language }));
		if (original === undefined) return null;
		const { id } = original;
		const row = rows.get(id);
		if (row === undefined) return { state: 'reading', id };
		if (row.entries === null) return { state: 'failed', id, failure: row.failure ?? '' };
		const entries = JSON.parse(row.entries) as OutlineEntry[];
		return { state: 'ready', id, entries, pageCount: row.page_count ?? 0 };
	};
	const codes = languages.map(({ code }) => code);
	return parts.flatMap(({ number: part }) => {
		const firstLanguage = codes.find((language) => originals.has(editionKeyOf({ part, language }))) ?? codes[0];
		if (firstLanguage === undefined) return [];
		const en = outlineStateOf(part, firstLanguage);
		const others = codes.filter((language) => language !== firstLanguage);
		return others
			.filter((language) => others.length === 1 || originals.has(editionKeyOf({ part, language })))
			.map((language) => ({ part, firstLanguage, language, en, hi: outlineStateOf(part, language) }));
	});
}

function presentOutline(outline: OutlineState | null, locale: Locale): EditionOutline | null {
	if (outline === null) return null;
	if (outline.state === 'reading') return { state: 'reading' };
	if (outline.state === 'failed') return { state: 'failed', problem: describePdfFailure(outline.failure, locale) };
	const { id, pageCount, entries } = outline;
	return { state: 'ready', id, pageCount, entries: entries.map(({ id, title, page }) => ({ id, title, page })) };
}
