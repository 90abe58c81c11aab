import { matchesKeyOf } from '#contract/book/chapter-matching.ts';
import type { OfferedEditions } from '#contract/book/editions.ts';
import { m } from '#messages';
import type { ManualMatch, Outline } from '#shared/chapter-matching.ts';
import type { CallInputs, CallOutputs } from '#web/platform/api/client.ts';
import { languageLabel, partLabel } from '../../shelf/edition-labels.ts';

export type SavedChapterMatches = CallOutputs['outlinePairs']['get'];

/** The decision for each entry in the first language: id of the other entry, '' for no match, null for the suggestion. */
export type Decisions = Readonly<Record<string, string | null>>;

/** Decisions by {@link matchesKeyOf}. */
type ChapterMatchingForm = Record<string, Decisions>;

type SavedPart = SavedChapterMatches['parts'][number];

export interface MatchablePart extends Pick<SavedPart, 'part' | 'firstLanguage' | 'language'> {
	en: Outline & { id: string };
	hi: Outline & { id: string };
}

/** Returns `Part 1`, or `Part 1, English – Hindi` if the form has several pairs of languages of the part. */
export function matchingTitle(offered: OfferedEditions, { parts }: SavedChapterMatches, matched: SavedPart): string {
	const hasParts = parts.some(({ part }) => part !== matched.part);
	const hasLanguages = parts.filter(({ part }) => part === matched.part).length > 1;
	const names = [matched.firstLanguage, matched.language].map((language) => languageLabel(offered, language));
	return [
		...(hasParts ? [partLabel(offered, matched.part)] : []),
		...(hasLanguages || !hasParts ? [names.join(' – ')] : []),
	].join(', ');
}

export function findMatchablePart({ en, hi, byHand: _byHand, ...matched }: SavedPart): MatchablePart | null {
	if (en?.state !== 'ready' || hi?.state !== 'ready') return null;
	return en.entries.length === 0 || hi.entries.length === 0 ? null : { ...matched, en, hi };
}

export function formOf({ parts }: SavedChapterMatches): ChapterMatchingForm {
	const decisionsOf = (saved: SavedPart): Decisions => {
		const decided = new Map(saved.byHand.map(({ en, hi }) => [en, hi ?? '']));
		const entries = saved.en?.state === 'ready' ? saved.en.entries : [];
		return Object.fromEntries(entries.map(({ id }) => [id, decided.get(id) ?? null]));
	};
	return Object.fromEntries(parts.map((saved) => [matchesKeyOf(saved), decisionsOf(saved)]));
}

/** Includes only parts that can be matched. The outline ids tell the server which outlines the user saw. */
export function inputOf(form: ChapterMatchingForm, saved: SavedChapterMatches) {
	const parts: CallInputs['outlinePairs']['save']['parts'] = saved.parts.flatMap((savedPart) => {
		const ready = findMatchablePart(savedPart);
		if (ready === null) return [];
		const { part, language, en, hi } = ready;
		const decisions = form[matchesKeyOf(ready)] ?? {};
		const isListed = ({ entries }: Outline, id: string) => entries.some((entry) => entry.id === id);
		// If an edition has a new file, its outline may no longer have the entry.
		const isStillListed = (pair: ManualMatch) => isListed(en, pair.en) && (pair.hi === null || isListed(hi, pair.hi));
		const byHand = toManualMatches(decisions).filter(isStillListed);
		return [{ part, language, en: en.id, hi: hi.id, byHand }];
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
