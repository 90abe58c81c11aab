import { m } from '#messages';
import { VisitAddresses } from '#web/features/visits/visit-addresses.tsx';
import { VisitSettings } from '#web/features/visits/visit-settings.tsx';
import { visitsSearch } from '#web/features/visits/visits.api.ts';
import { VisitFigures } from '#web/features/visits/visits-figures.tsx';
import { useUrlState } from '#web/platform/url-state.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { GoBack } from './go-back.tsx';
import classes from './list-screen.module.css';

/** /admin/visitor: who came to the landing page, how often, and what became of it. */
export function AdminVisitorScreen() {
	const [{ days, sort }, setSearch] = useUrlState(visitsSearch);
	return (
		<>
			<PageHeader back={<GoBack label={m.visits_back()} />} title={m.screen_visitors()} />
			<div className={`${classes.page} ${classes.stack}`}>
				<VisitFigures days={days} onDays={(value) => setSearch({ days: value })} />
				<VisitAddresses sort={sort} onSort={(value) => setSearch({ sort: value })} />
				<VisitSettings />
			</div>
		</>
	);
}
