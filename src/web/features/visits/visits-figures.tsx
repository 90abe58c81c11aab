import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { DayChart } from '#web/ui/day-chart.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { Figures } from '#web/ui/figures.tsx';
import { SegmentedSwitch } from '#web/ui/segmented-switch.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useVisitsSummary, type VisitsSearch, visitSpans } from './visits.api.ts';
import classes from './visits-figures.module.css';
import { VisitFunnel } from './visits-funnel.tsx';
import { VisitSources } from './visits-sources.tsx';

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
			segments={visitSpans.map((span) => ({ value: span, label: m.visits_span_days({ count: span }) }))}
		/>
	);
	return (
		<>
			<div className={classes.ledger}>
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
