import { m } from '#messages';
import { VisitAddresses } from '#web/features/storefront/visits/visit-addresses.tsx';
import { VisitFigures, visitsSearch } from '#web/features/storefront/visits/visit-figures.tsx';
import { VisitSettings } from '#web/features/storefront/visits/visit-settings.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { GoBackButton } from '../../navigation/go-back-button.tsx';
import classes from '../list-screen.module.css';

/** /admin/visitor: the visits to the landing page, by IP address and by day, and the sales that followed. */
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
