import { m } from '#messages';
import type { ManualMatch, Outline } from '#shared/chapter-matching.ts';
import type { CallInputs, CallOutputs } from '#web/platform/api/client.ts';

export type SavedChapterMatches = CallOutputs['outlinePairs']['get'];

/** The decision for each English entry: id of the Hindi entry, '' for no match, null for the suggestion. */
export type Decisions = Readonly<Record<string, string | null>>;

/** Decisions by part. */
type ChapterMatchingForm = Record<1 | 2, Decisions>;

type SavedPart = SavedChapterMatches['parts'][number];

export interface MatchablePart {
	part: 1 | 2;
	en: Outline & { id: string };
	hi: Outline & { id: string };
}

export function findMatchablePart({ part, en, hi }: SavedPart): MatchablePart | null {
	if (en?.state !== 'ready' || hi?.state !== 'ready') return null;
	return en.entries.length === 0 || hi.entries.length === 0 ? null : { part, en, hi };
}

export function formOf({ parts }: SavedChapterMatches): ChapterMatchingForm {
	const decisionsOf = (part: 1 | 2): Decisions => {
		const saved = parts.find((savedPart) => savedPart.part === part);
		const decided = new Map((saved?.byHand ?? []).map(({ en, hi }) => [en, hi ?? '']));
		const entries = saved?.en?.state === 'ready' ? saved.en.entries : [];
		return Object.fromEntries(entries.map(({ id }) => [id, decided.get(id) ?? null]));
	};
	return { 1: decisionsOf(1), 2: decisionsOf(2) };
}

/** Includes only parts that can be matched. The outline ids tell the server which outlines the user saw. */
export function inputOf(form: ChapterMatchingForm, saved: SavedChapterMatches) {
	const parts: CallInputs['outlinePairs']['save']['parts'] = saved.parts.flatMap((savedPart) => {
		const ready = findMatchablePart(savedPart);
		if (ready === null) return [];
		const { part, en, hi } = ready;
		const isListed = ({ entries }: Outline, id: string) => entries.some((entry) => entry.id === id);
		// If an edition has a new file, its outline may no longer have the entry.
		const isStillListed = (pair: ManualMatch) => isListed(en, pair.en) && (pair.hi === null || isListed(hi, pair.hi));
		return [{ part, en: en.id, hi: hi.id, byHand: toManualMatches(form[part]).filter(isStillListed) }];
	});
	return { parts };
}

export function toManualMatches(decisions: Decisions): ManualMatch[] {
	return Object.entries(decisions).flatMap(([en, hi]) => (hi === null ? [] : [{ en, hi: hi === '' ? null : hi }]));
}

/** Sets one decision; null restores the suggestion. `takenFrom`: the entry that loses its match with `choice`. */
export function setDecision(decisions: Decisions, id: string, choice: string | null) {
	const currentHolder = Object.entries(decisions).find(([en, hi]) => en !== id && hi === choice)?.[0];
	const takenFrom = choice === null || choice === '' ? undefined : currentHolder;
	const others: Decisions = takenFrom === undefined ? decisions : { ...decisions, [takenFrom]: null };
	return { decisions: { ...others, [id]: choice }, takenFrom };
}

export function clearDecisions(decisions: Decisions): Decisions {
	return Object.fromEntries(Object.keys(decisions).map((id) => [id, null]));
}

export function outlineEntryTitle({ id, title }: { id: string; title: string }): string {
	return title === '' ? m.chapter_matching_untitled({ id }) : title;
}
