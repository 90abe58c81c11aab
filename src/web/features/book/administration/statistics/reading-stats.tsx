import { Box, Group, Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EditionReading } from '#contract/book/reading-statistics.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { Figures } from '#web/ui/data/figures.tsx';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { Section, SubsectionHeader } from '#web/ui/layout/section.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { editionLabel } from '../../shelf/edition-labels.ts';
import { useBookOutline } from '../../shelf/shelf-api.ts';
import classes from '../administration.module.css';
import { ReaderList } from './reader-list.tsx';

export function ReadingStats() {
	return (
		<Section title={m.reading_stats()} intro={m.reading_stats_intro()}>
			<LoadedSettings
				query={useQuery(api.readingStats.summary.queryOptions({ staleTime: 0 }))}
				failed={m.reading_stats_failed()}
				skeleton={<SkeletonLines label={m.reading_stats_loading()} count={2} height="180px" />}
			>
				{(stats) => <EditionsStats {...stats} />}
			</LoadedSettings>
		</Section>
	);
}

function EditionsStats({ readers, editions }: CallOutputs['readingStats']['summary']) {
	/** Whether the admin has confirmed showing names. Applies to all editions until the screen is closed. */
	const [isConfirmed, setConfirmed] = useState(false);
	if (editions.length === 0) return <EmptyState text={m.reading_stats_no_editions()} />;
	if (readers === 0) return <EmptyState text={m.reading_stats_no_readers()} />;
	return (
		<Stack gap={24}>
			{editions.map((edition) => (
				<EditionStats
					key={edition.key}
					edition={edition}
					readers={readers}
					isConfirmed={isConfirmed}
					onConfirm={() => setConfirmed(true)}
				/>
			))}
		</Stack>
	);
}

interface EditionStatsProps {
	edition: EditionReading;
	readers: number;
	isConfirmed: boolean;
	onConfirm: () => void;
}

function EditionStats({ edition, readers, isConfirmed, onConfirm }: EditionStatsProps) {
	const [isAsking, setAsking] = useState(false);
	const [areNamesShown, setNamesShown] = useState(false);
	const { offered, title } = useBookOutline();
	const name = editionLabel(offered, edition) || title;
	const confirm = () => {
		setAsking(false);
		setNamesShown(true);
		onConfirm();
	};
	const toggleNames = () => {
		if (areNamesShown) setNamesShown(false);
		else if (isConfirmed) setNamesShown(true);
		else setAsking(true);
	};
	return (
		<article aria-label={name}>
			<SubsectionHeader title={name} mb={8}>
				{edition.opened > 0 && (
					<Button size="small" onClick={toggleNames} aria-expanded={areNamesShown}>
						{areNamesShown ? m.reading_stats_hide_names() : m.reading_stats_show_names()}
					</Button>
				)}
			</SubsectionHeader>
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
			{areNamesShown && <ReaderList edition={edition} />}
			<ConfirmDialog
				isOpen={isAsking}
				onClose={() => setAsking(false)}
				onConfirm={confirm}
				question={m.reading_stats_names_question()}
				detail={<p>{m.reading_stats_names_detail()}</p>}
				confirmLabel={m.reading_stats_show_names()}
				variant="primary"
			/>
		</article>
	);
}

function percentLabel(percent: number | null): string {
	return percent === null ? m.reading_stats_none() : m.reader_percent({ percent });
}

function TenthsChart({ tenths }: { tenths: readonly number[] }) {
	const maxCount = Math.max(...tenths);
	if (maxCount === 0) {
		return (
			<Box component="p" className={textClasses.note} p="16px 0 4px">
				{m.reading_stats_tenths_none()}
			</Box>
		);
	}
	return (
		<Box component="figure" mt={16}>
			<figcaption className={textClasses.note}>{m.reading_stats_tenths()}</figcaption>
			<ol className={classes.bars}>
				{tenths.map((count, tenth) => {
					const range = m.reading_stats_tenth({ from: tenth * 10, to: tenth * 10 + 10 });
					return (
						<li key={range} title={range}>
							<VisuallyHidden>{range}</VisuallyHidden>
							<Box component="span" h={16} mt={-16} c="var(--ink-2)" fz={12} lh="16px" ta="center">
								{formatCount(count)}
							</Box>
							<Box
								component="span"
								h={`${(count / maxCount) * 100}%`}
								mih={count > 0 ? 2 : 0}
								bg="var(--accent-fill)"
								bdrs="2px 2px 0 0"
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
