import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { DayChart } from '#web/ui/data/day-chart.tsx';
import { Figures } from '#web/ui/data/figures.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from './visit-figures.module.css';
import { VisitFunnel } from './visit-funnel.tsx';
import { VisitSources } from './visit-sources.tsx';
import { useVisitsSummary, type VisitsSearch, visitRanges } from './visits-api.ts';

interface VisitFiguresProps {
	days: VisitsSearch['days'];
	onDays: (days: VisitsSearch['days']) => void;
}

/** The two totals, visits by day, the way from a visit to a sale, and where visits came from. */
export function VisitFigures({ days, onDays }: VisitFiguresProps) {
	const summary = useVisitsSummary(days);
	const { data } = summary;
	if (summary.isError && data === undefined)
		return (
			<div className={classes.card}>
				<FailedQuery text={m.visits_failed()} query={summary} />
			</div>
		);
	const spans = (
		<SegmentedSwitch
			label={m.visits_span()}
			value={days}
			onChange={onDays}
			segments={visitRanges.map((span) => ({ value: span, label: m.visits_span_days({ count: span }) }))}
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
					<div className={classes.chart} role="status" aria-label={m.visits_loading()}>
						<Skeleton height="160px" />
					</div>
				) : (
					<DayChart
						title={m.visits_by_day()}
						days={data.days.map(({ day, visits }) => ({ day, values: [visits] }))}
						series={[m.visits_series()]}
						format={formatCount}
						emptyText={m.visits_by_day_none()}
						tools={spans}
					/>
				)}
			</div>
			{data !== undefined && (
				<div className={classes.cards} aria-busy={summary.isPlaceholderData}>
					<VisitFunnel funnel={data.funnel} />
					<VisitSources
						title={m.visits_referrers()}
						sources={data.referrers.map(({ referrer, visits }) => ({ value: referrer, visits }))}
						kind="referrer"
					/>
					<VisitSources
						title={m.visits_pages()}
						sources={data.pages.map(({ page, visits }) => ({ value: page, visits }))}
						kind="page"
					/>
				</div>
			)}
		</>
	);
}
