import { Box, Group, Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EditionReading } from '#contract/book/reading-statistics.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { Figures } from '#web/ui/data/figures.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { editionLabel } from '../../shelf/edition-labels.ts';
import classes from '../administration.module.css';
import { ReaderList } from './reader-list.tsx';

/** Reading progress of each edition, for the owner; names are shown only on request. */
export function ReadingStats() {
	return (
		<Section title={m.reading_stats()} intro={m.reading_stats_intro()}>
			<ReadingStatsContent />
		</Section>
	);
}

function ReadingStatsContent() {
	// Counted again on each visit.
	const stats = useQuery(api.readingStats.summary.queryOptions({ staleTime: 0 }));
	/** Confirmed once, names are shown for every edition while the screen is open. */
	const [isNaming, setNaming] = useState(false);
	if (stats.data === undefined) {
		if (stats.isError) return <FailedQuery text={m.reading_stats_failed()} query={stats} />;
		return <SkeletonLines label={m.reading_stats_loading()} count={2} height="180px" />;
	}
	const { readers, editions } = stats.data;
	if (editions.length === 0) return <EmptyState text={m.reading_stats_no_editions()} />;
	if (readers === 0) return <EmptyState text={m.reading_stats_no_readers()} />;
	return (
		<Stack gap={24}>
			{editions.map((edition) => (
				<EditionStats
					key={edition.key}
					edition={edition}
					readers={readers}
					isNaming={isNaming}
					onNaming={() => setNaming(true)}
				/>
			))}
		</Stack>
	);
}

interface EditionStatsProps {
	edition: EditionReading;
	/** Number of users who may read the edition. */
	readers: number;
	/** Whether showing names was confirmed already. */
	isNaming: boolean;
	onNaming: () => void;
}

function EditionStats({ edition, readers, isNaming, onNaming }: EditionStatsProps) {
	const [isAsking, setAsking] = useState(false);
	const [isNamed, setNamed] = useState(false);
	const name = editionLabel(edition);
	const show = () => {
		setAsking(false);
		setNamed(true);
		onNaming();
	};
	const press = () => {
		if (isNamed) setNamed(false);
		else if (isNaming) setNamed(true);
		else setAsking(true);
	};
	return (
		<article aria-label={name}>
			<header className={classes.head} style={{ marginBottom: 8 }}>
				<h3 className={classes.title}>{name}</h3>
				{edition.opened > 0 && (
					<Button size="small" onClick={press} aria-expanded={isNamed}>
						{isNamed ? m.reading_stats_hide_names() : m.reading_stats_show_names()}
					</Button>
				)}
			</header>
			<Figures
				label={m.reading_stats_figures({ edition: name })}
				className={classes.figures}
				figures={[
					{
						label: m.reading_stats_opened(),
						value: m.reading_stats_opened_of({ opened: formatCount(edition.opened), readers: formatCount(readers) }),
					},
					{ label: m.reading_stats_median(), value: percentLabel(edition.medianPercent) },
					{ label: m.reading_stats_mean(), value: percentLabel(edition.meanPercent) },
					{ label: m.reading_stats_finished(), value: formatCount(edition.finished) },
					{ label: m.reading_stats_7_days(), value: formatCount(edition.readIn7Days) },
					{ label: m.reading_stats_30_days(), value: formatCount(edition.readIn30Days) },
				]}
			/>
			<TenthsChart tenths={edition.tenths} />
			{isNamed && <ReaderList edition={edition} />}
			<Dialog
				isOpen={isAsking}
				onClose={() => setAsking(false)}
				title={m.reading_stats_names_question()}
				width={440}
				footer={
					<>
						<Button onClick={() => setAsking(false)} data-autofocus>
							{m.common_cancel()}
						</Button>
						<Button variant="primary" onClick={show}>
							{m.reading_stats_show_names()}
						</Button>
					</>
				}
			>
				<p>{m.reading_stats_names_detail()}</p>
			</Dialog>
		</article>
	);
}

function percentLabel(percent: number | null): string {
	return percent === null ? m.reading_stats_none() : m.reader_percent({ percent });
}

/** Bar chart of the number of readers in each tenth of the pages. */
function TenthsChart({ tenths }: { tenths: readonly number[] }) {
	const maxCount = Math.max(...tenths);
	if (maxCount === 0) {
		return (
			<Box component="p" className={classes.hint} p="16px 0 4px">
				{m.reading_stats_tenths_none()}
			</Box>
		);
	}
	return (
		<Box component="figure" mt={16}>
			<figcaption className={classes.hint}>{m.reading_stats_tenths()}</figcaption>
			<ol className={classes.bars}>
				{tenths.map((count, tenth) => {
					const range = m.reading_stats_tenth({ from: tenth * 10, to: tenth * 10 + 10 });
					return (
						<li key={range} title={range}>
							<VisuallyHidden>{range}</VisuallyHidden>
							<span className={classes.count}>{formatCount(count)}</span>
							<span
								className={classes.bar}
								style={{ height: `${(count / maxCount) * 100}%` }}
								data-some={count > 0 || undefined}
							/>
						</li>
					);
				})}
			</ol>
			<Group justify="space-between" pt={4} fz={12} className={classes.page} aria-hidden="true">
				{[0, 50, 100].map((percent) => (
					<span key={percent}>{m.reader_percent({ percent })}</span>
				))}
			</Group>
		</Box>
	);
}
