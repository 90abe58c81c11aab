import { m } from '#messages';
import { VisitAddresses } from '#web/features/storefront/visits/visit-addresses.tsx';
import { VisitFigures } from '#web/features/storefront/visits/visit-figures.tsx';
import { VisitSettings } from '#web/features/storefront/visits/visit-settings.tsx';
import { visitsSearch } from '#web/features/storefront/visits/visits-api.ts';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { GoBackButton } from '../../navigation/go-back-button.tsx';
import classes from '../list-screen.module.css';

/** /admin/visitor: visits to the landing page: who, how often, and what followed. */
export function AdminVisitorScreen() {
	const [{ days, sort }, setSearch] = useUrlState(visitsSearch);
	return (
		<>
			<PageHeader back={<GoBackButton label={m.visits_back()} />} title={m.screen_visitors()} />
			<div className={`${classes.page} ${classes.stack}`}>
				<VisitFigures days={days} onDays={(value) => setSearch({ days: value })} />
				<VisitAddresses sort={sort} onSort={(value) => setSearch({ sort: value })} />
				<VisitSettings />
			</div>
		</>
	);
}
