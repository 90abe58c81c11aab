import { Flex } from '@mantine/core';
import { IconHandFinger } from '@tabler/icons-react';
import { type CSSProperties, useState } from 'react';
import { m } from '#messages';
import type { OutlineEntry } from '#shared/chapter-matching.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import classes from '../administration.module.css';
import { type MatchablePart, outlineEntryTitle } from './chapter-matching-form.ts';

/** Longer lists of options are rendered only when the field is opened. */
const maxInitialOptions = 60;
const [suggestedValue, noneValue] = ['suggested', 'none'];

interface ChapterMatchingRowProps {
	part: MatchablePart;
	entry: OutlineEntry;
	counterpart: string | undefined;
	/** Id of the entry in the other language that an admin has chosen; '' for no match, null for the suggestion. */
	decision: string | null;
	/** The decision that another admin has saved since this form was loaded; undefined if nothing was saved. */
	theirs: string | null | undefined;
	error: string | undefined;
	onChoose: (choice: string | null) => void;
}

export function ChapterMatchingRow(props: ChapterMatchingRowProps) {
	const { part, entry, counterpart, decision, theirs, error, onChoose } = props;
	const others = part.hi.entries;
	const [isOpened, setOpened] = useState(false);
	const level = entry.id.split('.').length - 1;
	const title = outlineEntryTitle(entry);
	const findOption = (id: string | null | undefined) => others.find((option) => option.id === id);
	const suggested = decision === null ? findOption(counterpart) : undefined;
	const isLong = others.length > maxInitialOptions && !isOpened;
	const options = isLong ? others.filter(({ id }) => id === decision) : others;
	const theirLabel = () => {
		if (theirs === undefined || theirs === decision) return undefined;
		if (theirs === null) return m.chapter_matching_changed_to({ value: m.chapter_matching_badge_suggested() });
		const theirChoice = findOption(theirs);
		const value = theirChoice === undefined ? m.chapter_matching_none() : outlineEntryTitle(theirChoice);
		return m.chapter_matching_changed_to({ value });
	};
	const suggestionLabel =
		suggested === undefined
			? m.chapter_matching_suggested_none()
			: m.chapter_matching_suggested({ title: optionLabel(suggested) });
	const open = () => setOpened(true);

	return (
		<li className={classes.row} data-top-level={level === 0 || undefined} style={{ '--level': level } as CSSProperties}>
			<Flex wrap="wrap" align="baseline" gap="2px 8px" className={classes.entry}>
				<span lang={part.firstLanguage} className={classes.text}>
					{title}
				</span>
				<EntryPage entry={entry} />
				{decision !== null && (
					<Badge tone="accent" icon={IconHandFinger}>
						{m.chapter_matching_badge_manual()}
					</Badge>
				)}
			</Flex>
			<SelectField
				aria-label={m.chapter_matching_counterpart({ title })}
				value={decision === null ? suggestedValue : (findOption(decision)?.id ?? noneValue)}
				error={error}
				description={theirLabel()}
				inputWrapperOrder={['input', 'description', 'error']}
				onPointerDown={open}
				onFocus={open}
				onChange={({ currentTarget: { value } }) => {
					if (value === suggestedValue) onChoose(null);
					else onChoose(value === noneValue ? '' : value);
				}}
			>
				<option value={suggestedValue}>{decision === null ? suggestionLabel : m.chapter_matching_reset()}</option>
				<option value={noneValue}>{m.chapter_matching_none()}</option>
				{options.map((option) => (
					<option key={option.id} value={option.id} lang={part.language}>
						{'\u2003'.repeat(option.id.split('.').length - 1)}
						{optionLabel(option)}
					</option>
				))}
			</SelectField>
		</li>
	);
}

function optionLabel(entry: OutlineEntry): string {
	const title = outlineEntryTitle(entry);
	return entry.page === null ? title : m.chapter_matching_option({ title, page: entry.page });
}

export function EntryPage({ entry: { page } }: { entry: OutlineEntry }) {
	return (
		<span className={classes.page}>
			{page === null ? m.chapter_matching_no_page() : m.chapter_matching_page({ page })}
		</span>
	);
}
