import { otherReferrers } from '#contract/storefront/visits.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { BarList } from './bar-list.tsx';
import classes from './visit-sources.module.css';

interface VisitSourcesProps {
	title: string;
	kind: 'page' | 'referrer';
	sources: ReadonlyArray<{ value: string; visits: number }>;
}

/** Which pages were opened, or which sites led there, the most frequent first. */
export function VisitSources({ title, kind, sources }: VisitSourcesProps) {
	const labelOf = kind === 'page' ? pageName : referrerName;
	return (
		<Section title={title}>
			{sources.length === 0 ? (
				<p className={classes.none}>{m.visits_sources_none()}</p>
			) : (
				<BarList
					bars={sources.map(({ value, visits }) => ({ key: value, label: labelOf(value), count: visits }))}
					format={formatCount}
				/>
			)}
		</Section>
	);
}

function pageName(page: string): string {
	if (page === '/') return m.visits_page_en();
	return page === '/?lang=hi' ? m.visits_page_hi() : page;
}

/** The site's name; a scheme other than https is told. */
function referrerName(referrer: string): string {
	if (referrer === '') return m.visits_referrer_none();
	return referrer === otherReferrers ? m.visits_referrer_other() : referrer.replace(/^https:\/\//u, '');
}
