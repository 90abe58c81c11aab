import { Box, Flex, Stack } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { matchesKeyOf } from '#contract/book/chapter-matching.ts';
import { findLanguage, languageNameIn } from '#contract/book/editions.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { matchChapters, type OutlineEntry } from '#shared/chapter-matching.ts';
import { SubsectionHeader } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { useBookOutline } from '../../shelf/shelf-api.ts';
import classes from '../administration.module.css';
import {
	clearDecisions,
	type Decisions,
	type MatchablePart,
	outlineEntryTitle,
	setDecision,
	toManualMatches,
} from './chapter-matching-form.ts';
import { ChapterMatchingRow, EntryPage } from './chapter-matching-row.tsx';

interface ChapterMatchingPartProps {
	/** Distinguishes the part and its languages from the others of the form. */
	title: string;
	ready: MatchablePart;
	decisions: Decisions;
	theirs: Decisions | undefined;
	/** Error messages by part and entry: key `1.2.3` is for entry 2.3 of part 1. */
	errors: Record<string, string>;
	onChange: (decisions: Decisions) => void;
}

export function ChapterMatchingPart({ title, ready, decisions, theirs, errors, onChange }: ChapterMatchingPartProps) {
	const { part, en, hi } = ready;
	const isNamedByNumber = title === m.reader_part({ part });
	const [announcement, setAnnouncement] = useState('');
	const matches = useMemo(() => matchChapters(en, hi, toManualMatches(decisions)), [en, hi, decisions]);
	const counterparts = new Map(matches.map((pair) => [pair.en, pair.hi]));
	const titles = new Map(en.entries.map((entry) => [entry.id, outlineEntryTitle(entry)]));
	const matchedIds = new Set(matches.map((pair) => pair.hi));
	const unmatched = hi.entries.filter(({ id }) => !matchedIds.has(id));
	const choose = (id: string, choice: string | null) => {
		const { decisions: next, takenFrom } = setDecision(decisions, id, choice);
		onChange(next);
		setAnnouncement(takenFrom === undefined ? '' : m.chapter_matching_moved({ title: titles.get(takenFrom) ?? '' }));
	};
	const restore = () => {
		onChange(clearDecisions(decisions));
		setAnnouncement(
			isNamedByNumber ? m.chapter_matching_reset_done({ part }) : m.chapter_matching_reset_done_of({ title }),
		);
	};

	return (
		<>
			<SubsectionHeader title={title}>
				<Button
					size="small"
					icon={IconRestore}
					aria-label={
						isNamedByNumber ? m.chapter_matching_reset_part({ part }) : m.chapter_matching_reset_of({ title })
					}
					disabled={Object.values(decisions).every((choice) => choice === null)}
					onClick={restore}
				>
					{m.chapter_matching_reset()}
				</Button>
			</SubsectionHeader>
			<p role="status" className={classes.announcement}>
				{announcement}
			</p>
			<ol>
				{en.entries.map((entry) => (
					<ChapterMatchingRow
						key={entry.id}
						part={ready}
						entry={entry}
						counterpart={counterparts.get(entry.id)}
						decision={decisions[entry.id] ?? null}
						theirs={theirs === undefined ? undefined : (theirs[entry.id] ?? null)}
						error={errors[`${matchesKeyOf(ready)}.${entry.id}`]}
						onChoose={(choice) => choose(entry.id, choice)}
					/>
				))}
			</ol>
			<UnmatchedEntries part={ready} entries={unmatched} />
		</>
	);
}

function UnmatchedEntries({ part, entries }: { part: MatchablePart; entries: OutlineEntry[] }) {
	const { firstLanguage, language } = part;
	const { offered } = useBookOutline();
	const nameOf = (code: string) => languageNameIn(findLanguage(offered, code), getLocale());
	if (entries.length === 0) {
		const text = m.chapter_matching_unmatched_none({ language: nameOf(language) });
		return <p className={textClasses.note}>{text}</p>;
	}
	return (
		<Stack gap={4} pt={8} style={{ borderTop: '1px solid var(--line)', overflowWrap: 'anywhere' }}>
			<Box component="h4" fz={13} fw={550}>
				{m.chapter_matching_unmatched({ language: nameOf(firstLanguage) })}
			</Box>
			<ul>
				{entries.map((entry) => (
					<Flex key={entry.id} component="li" wrap="wrap" align="baseline" gap="0 8px" py={4}>
						<span lang={language}>{outlineEntryTitle(entry)}</span>
						<EntryPage entry={entry} />
					</Flex>
				))}
			</ul>
		</Stack>
	);
}
