import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { otherReferrers } from '#contract/storefront/visits.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { oneOf, orElse, stateOf } from '#web/platform/browser/readers.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { DayChart } from '#web/ui/data/day-chart.tsx';
import { Figures } from '#web/ui/data/figures.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { type Bar, BarList, formatShare } from './bar-list.tsx';
import classes from './visits.module.css';

const visitRanges = ['30', '90', '365'] as const;

export const visitsSearch = stateOf({
	days: orElse(oneOf(visitRanges), '30'),
	sort: orElse(oneOf(['visits', 'ip']), 'visits'),
});

export function VisitFigures() {
	const [{ days }, setSearch] = useUrlState(visitsSearch);
	const summary = useQuery(
		api.visits.summary.queryOptions({ input: { days: Number(days) }, placeholderData: keepPreviousData }),
	);
	const { data } = summary;
	if (summary.isError && data === undefined)
		return (
			<div className={classes.summary}>
				<FailedQuery text={m.visits_failed()} query={summary} />
			</div>
		);
	const periodSwitch = (
		<SegmentedSwitch
			label={m.visits_span()}
			value={days}
			onChange={(value) => setSearch({ days: value })}
			segments={visitRanges.map((range) => ({ value: range, label: m.visits_span_days({ count: range }) }))}
		/>
	);
	return (
		<>
			<div className={classes.summary}>
				<Figures
					label={m.visits_totals()}
					className={classes.totals}
					figures={[
						{ label: m.visits_total(), value: data && formatCount(data.totalVisits) },
						{ label: m.visits_unique(), value: data && formatCount(data.uniqueVisitors) },
					]}
				/>
				{data === undefined ? (
					<Box p="12px 20px 14px" role="status" aria-label={m.visits_loading()}>
						<Skeleton height="160px" />
					</Box>
				) : (
					<DayChart
						title={m.visits_by_day()}
						days={data.days.map(({ day, visits }) => ({ day, values: [visits] }))}
						series={[m.visits_series()]}
						format={formatCount}
						emptyText={m.visits_by_day_none()}
						tools={periodSwitch}
					/>
				)}
			</div>
			{data !== undefined && (
				<div className={classes.cards} aria-busy={summary.isPlaceholderData}>
					<VisitFunnel funnel={data.funnel} />
					<VisitSources
						title={m.visits_referrers()}
						sources={data.referrers.map(({ referrer, visits }) => ({ label: referrerName(referrer), count: visits }))}
					/>
					<VisitSources
						title={m.visits_pages()}
						sources={data.pages.map(({ page, visits }) => ({ label: pageName(page), count: visits }))}
					/>
				</div>
			)}
		</>
	);
}

/** Shows the numbers of visits, begun order forms, sent payment proofs and verified payments. */
function VisitFunnel({ funnel }: { funnel: CallOutputs['visits']['summary']['funnel'] }) {
	const { visits, formsBegun, proofsSent, verified } = funnel;
	const step = (label: string, count: number): Bar => {
		// Some buyers have no counted visit, so a count can exceed the visits. It then has no percentage.
		const isPart = visits > 0 && count <= visits;
		return { label, count, note: isPart ? m.visits_funnel_of({ percent: formatShare(count, visits) }) : undefined };
	};
	const bars = [
		{ label: m.visits_funnel_visits(), count: visits },
		step(m.visits_funnel_forms(), formsBegun),
		step(m.visits_funnel_proofs(), proofsSent),
		step(m.visits_funnel_verified(), verified),
	];
	return (
		<Section title={m.visits_funnel()} intro={m.visits_funnel_intro()}>
			<BarList isOrdered bars={bars} />
		</Section>
	);
}

function VisitSources({ title, sources }: { title: string; sources: ReadonlyArray<Omit<Bar, 'note'>> }) {
	return (
		<Section title={title}>
			{sources.length === 0 ? (
				<p className={textClasses.note}>{m.visits_sources_none()}</p>
			) : (
				<BarList bars={sources} />
			)}
		</Section>
	);
}

function pageName(page: string): string {
	if (page === '/') return m.visits_page_en();
	return page === '/?lang=hi' ? m.visits_page_hi() : page;
}

/** Returns the referrer without `https://`. Other schemes are kept. */
function referrerName(referrer: string): string {
	if (referrer === '') return m.visits_referrer_none();
	return referrer === otherReferrers ? m.visits_referrer_other() : referrer.replace(/^https:\/\//u, '');
}
