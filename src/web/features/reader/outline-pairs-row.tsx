import { IconHandFinger } from '@tabler/icons-react';
import { useState } from 'react';
import type { OutlineEntry } from '#contract/reader/pair-outlines.ts';
import { m } from '#messages';
import { Badge } from '#web/ui/badge.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import classes from './outline-pairs.module.css';
import { titleOfEntry } from './outline-pairs-form.ts';

/** Longer lists of choices are drawn only for whoever opens one. */
const drawnAtOnce = 60;
const [suggestion, none] = ['suggested', 'none'];

interface PairRowProps {
	entry: OutlineEntry;
	/** All entries of the other outline. */
	others: readonly OutlineEntry[];
	/** The one that it is paired with now, by hand or as suggested. */
	counterpart: string | undefined;
	/** What was decided; '' for none, null where it is as suggested. */
	decision: string | null;
	/** What somebody else saved meanwhile; null where that is as suggested, undefined where nobody did. */
	theirs: string | null | undefined;
	error: string | undefined;
	/** '' for none, null for the suggestion. */
	onChoose: (choice: string | null) => void;
}

/** An entry of the English outline with the choice of its counterpart. */
export function PairRow({ entry, others, counterpart, decision, theirs, error, onChoose }: PairRowProps) {
	const [isOpened, setOpened] = useState(false);
	const level = entry.id.split('.').length - 1;
	const title = titleOfEntry(entry);
	const shown = (id: string | undefined) => others.find((other) => other.id === id);
	const suggested = decision === null ? shown(counterpart) : undefined;
	const chosen = shown(decision ?? undefined);
	const isLong = others.length > drawnAtOnce && !isOpened;
	const options = isLong ? others.filter(({ id }) => id === decision) : others;
	const theirWords = () => {
		if (theirs === undefined || theirs === decision) return undefined;
		if (theirs === null) return m.pairs_now({ value: m.pairs_mark_suggested() });
		const other = shown(theirs);
		return m.pairs_now({ value: other === undefined ? m.pairs_none() : titleOfEntry(other) });
	};
	const suggestionWords = () => {
		if (decision !== null) return m.pairs_again();
		return suggested === undefined ? m.pairs_suggested_none() : m.pairs_suggested({ title: optionOf(suggested) });
	};
	const open = () => setOpened(true);

	return (
		<li className={classes.row} data-level={level}>
			<div className={classes.entry}>
				<span lang="en" className={classes.words}>
					{title}
				</span>
				<PageOf entry={entry} />
				{decision !== null && (
					<Badge tone="accent" icon={<IconHandFinger {...smallIconProps} />}>
						{m.pairs_mark_hand()}
					</Badge>
				)}
			</div>
			<SelectField
				aria-label={m.pairs_counterpart({ title })}
				value={decision === null ? suggestion : (chosen?.id ?? none)}
				error={error}
				description={theirWords()}
				inputWrapperOrder={['input', 'description', 'error']}
				onPointerDown={open}
				onFocus={open}
				onChange={({ currentTarget: { value } }) => {
					if (value === suggestion) onChoose(null);
					else onChoose(value === none ? '' : value);
				}}
			>
				<option value={suggestion}>{suggestionWords()}</option>
				<option value={none}>{m.pairs_none()}</option>
				{options.map((other) => (
					<option key={other.id} value={other.id} lang="hi">
						{'\u2003'.repeat(other.id.split('.').length - 1)}
						{optionOf(other)}
					</option>
				))}
			</SelectField>
		</li>
	);
}

function optionOf(entry: OutlineEntry): string {
	const title = titleOfEntry(entry);
	return entry.page === null ? title : m.pairs_option({ title, page: entry.page });
}

/** On which page an entry begins. */
export function PageOf({ entry: { page } }: { entry: OutlineEntry }) {
	return <span className={classes.page}>{page === null ? m.pairs_no_page() : m.pairs_page({ page })}</span>;
}
