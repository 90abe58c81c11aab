import { m } from '#messages';
import type { ManualMatch, Outline } from '#shared/chapter-matching.ts';
import type { CallInputs } from '#web/platform/api/client.ts';
import type { SavedChapterMatches } from './chapter-matching-api.ts';

/** What the owner has decided for each English entry: the counterpart's place, '' for none, null: as suggested. */
export type Decisions = Readonly<Record<string, string | null>>;

/** The form: decisions by part, each entry on its own, so that two owners may change different ones. */
export type ChapterMatchingForm = Record<'1' | '2', Decisions>;

type SavedPart = SavedChapterMatches['parts'][number];

/** A part whose two outlines are there and have entries. */
export interface MatchablePart {
	part: 1 | 2;
	en: Outline & { id: string };
	hi: Outline & { id: string };
}

/** Null while there is nothing to pair. */
export function findMatchablePart({ part, en, hi }: SavedPart): MatchablePart | null {
	if (en?.state !== 'ready' || hi?.state !== 'ready') return null;
	return en.entries.length === 0 || hi.entries.length === 0 ? null : { part, en, hi };
}

/** Its field for a part. */
export function fieldOfPart(part: 1 | 2): keyof ChapterMatchingForm {
	return part === 1 ? '1' : '2';
}

/** The form as it opens. */
export function formOf({ parts }: SavedChapterMatches): ChapterMatchingForm {
	const decisionsOf = (part: 1 | 2): Decisions => {
		const saved = parts.find((each) => each.part === part);
		const decided = new Map((saved?.byHand ?? []).map(({ en, hi }) => [en, hi ?? '']));
		const entries = saved?.en?.state === 'ready' ? saved.en.entries : [];
		return Object.fromEntries(entries.map(({ id }) => [id, decided.get(id) ?? null]));
	};
	return { '1': decisionsOf(1), '2': decisionsOf(2) };
}

/** What is sent of it: the parts that can be paired, as they were looked at. */
export function inputOf(
	form: ChapterMatchingForm,
	{ parts }: SavedChapterMatches,
): Omit<CallInputs['outlinePairs']['save'], 'version'> {
	return {
		parts: parts.flatMap((saved) => {
			const ready = findMatchablePart(saved);
			if (ready === null) return [];
			const { part, en, hi } = ready;
			const [ones, others] = [en, hi].map(({ entries }) => new Set(entries.map(({ id }) => id)));
			// Another file may have come while something was chosen.
			const isStillListed = (pair: ManualMatch) => ones?.has(pair.en) && (pair.hi === null || others?.has(pair.hi));
			return [{ part, en: en.id, hi: hi.id, byHand: toManualMatches(form[fieldOfPart(part)]).filter(isStillListed) }];
		}),
	};
}

/** The decisions as the suggestion is fitted around them. */
export function toManualMatches(decisions: Decisions): ManualMatch[] {
	return Object.entries(decisions).flatMap(([en, hi]) => (hi === null ? [] : [{ en, hi: hi === '' ? null : hi }]));
}

/**
 * The decisions with one more; null: this entry is as suggested again. A counterpart that another entry was given by hand
 * is moved over. @returns the entry that it was taken from, too
 */
export function setDecision(
	decisions: Decisions,
	id: string,
	choice: string | null,
): { decisions: Decisions; takenFrom: string | undefined } {
	const currentHolder = Object.entries(decisions).find(([en, hi]) => en !== id && hi === choice)?.[0];
	const takenFrom = choice === null || choice === '' ? undefined : currentHolder;
	return {
		decisions: { ...decisions, ...(takenFrom !== undefined && { [takenFrom]: null }), [id]: choice },
		takenFrom,
	};
}

/** Everything as suggested again. */
export function clearDecisions(decisions: Decisions): Decisions {
	return Object.fromEntries(Object.keys(decisions).map((id) => [id, null]));
}

/** A title, or words for one that is empty. */
export function outlineEntryTitle({ id, title }: { id: string; title: string }): string {
	return title === '' ? m.chapter_matching_untitled({ id }) : title;
}
