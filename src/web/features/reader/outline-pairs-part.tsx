import { IconRestore } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type OutlineEntry, pairOutlines } from '#contract/reader/pair-outlines.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import classes from './outline-pairs.module.css';
import {
	byHandOf,
	type Decisions,
	decide,
	fieldOf,
	type ReadyPart,
	titleOfEntry,
	undecide,
} from './outline-pairs-form.ts';
import { PageOf, PairRow } from './outline-pairs-row.tsx';

interface PartPairsProps {
	ready: ReadyPart;
	decisions: Decisions;
	/** What somebody else saved meanwhile. */
	theirs: Decisions | undefined;
	/** A sentence for each entry in error, as `1.2.3`: the part, then its place. */
	errors: Record<string, string>;
	onChange: (decisions: Decisions) => void;
}

/** One part: each English entry with its counterpart, then what is left of the Hindi ones. */
export function PartPairs({ ready, decisions, theirs, errors, onChange }: PartPairsProps) {
	const { part, en, hi } = ready;
	const [news, setNews] = useState('');
	const pairs = useMemo(() => pairOutlines(en, hi, byHandOf(decisions)), [en, hi, decisions]);
	const counterparts = new Map(pairs.map((pair) => [pair.en, pair.hi]));
	const titles = new Map(en.entries.map((entry) => [entry.id, titleOfEntry(entry)]));
	const paired = new Set(pairs.map((pair) => pair.hi));
	const left = hi.entries.filter(({ id }) => !paired.has(id));
	const choose = (id: string, choice: string | null) => {
		const { decisions: next, takenFrom } = decide(decisions, id, choice);
		onChange(next);
		setNews(takenFrom === undefined ? '' : m.pairs_moved({ title: titles.get(takenFrom) ?? '' }));
	};
	const restore = () => {
		onChange(undecide(decisions));
		setNews(m.pairs_again_done({ part }));
	};

	return (
		<>
			<header className={classes.head}>
				<h3 className={classes.title}>{m.pairs_part({ part })}</h3>
				<Button
					size="small"
					icon={<IconRestore {...iconProps} />}
					aria-label={m.pairs_again_of({ part })}
					disabled={Object.values(decisions).every((choice) => choice === null)}
					onClick={restore}
				>
					{m.pairs_again()}
				</Button>
			</header>
			<p role="status" className={classes.news}>
				{news}
			</p>
			<ol className={classes.rows}>
				{en.entries.map((entry) => (
					<PairRow
						key={entry.id}
						entry={entry}
						others={hi.entries}
						counterpart={counterparts.get(entry.id)}
						decision={decisions[entry.id] ?? null}
						theirs={theirs === undefined ? undefined : (theirs[entry.id] ?? null)}
						error={errors[`${fieldOf(part)}.${entry.id}`]}
						onChoose={(choice) => choose(entry.id, choice)}
					/>
				))}
			</ol>
			<Left entries={left} />
		</>
	);
}

function Left({ entries }: { entries: OutlineEntry[] }) {
	if (entries.length === 0) return <p className={classes.hint}>{m.pairs_left_none()}</p>;
	return (
		<div className={classes.left}>
			<h4 className={classes.label}>{m.pairs_left()}</h4>
			<ul>
				{entries.map((entry) => (
					<li key={entry.id} className={classes.leftRow}>
						<span lang="hi">{titleOfEntry(entry)}</span>
						<PageOf entry={entry} />
					</li>
				))}
			</ul>
		</div>
	);
}
