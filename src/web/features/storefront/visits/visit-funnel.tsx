import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { BarList, formatShare } from './bar-list.tsx';
import type { VisitsSummary } from './visits-api.ts';

/** Of those who came, how many began the form, sent a proof, and were verified. */
export function VisitFunnel({ funnel }: { funnel: VisitsSummary['funnel'] }) {
	const { visits, formsBegun, proofsSent, verified } = funnel;
	const steps = [
		{ label: m.visits_funnel_visits(), count: visits },
		{ label: m.visits_funnel_forms(), count: formsBegun },
		{ label: m.visits_funnel_proofs(), count: proofsSent },
		{ label: m.visits_funnel_verified(), count: verified },
	];
	return (
		<Section title={m.visits_funnel()} intro={m.visits_funnel_intro()}>
			<BarList
				isOrdered
				bars={steps.map(({ label, count }, index) => ({
					key: label,
					label,
					count,
					// Who is no visit by the settings, a browser without script for one, may buy all the same.
					note:
						index === 0 || visits === 0 || count > visits
							? undefined
							: m.visits_funnel_of({ percent: formatShare(count, visits) }),
				}))}
				format={formatCount}
			/>
		</Section>
	);
}
