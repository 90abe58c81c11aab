import { Stack } from '@mantine/core';
import { m } from '#messages';
import { VisitAddresses } from '#web/features/storefront/visits/visit-addresses.tsx';
import { VisitFigures, visitsSearch } from '#web/features/storefront/visits/visit-figures.tsx';
import { VisitSettings } from '#web/features/storefront/visits/visit-settings.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { ListScreen } from '#web/ui/layout/section.tsx';
import { GoBackButton } from '../../navigation/go-back-button.tsx';

/** /admin/visitor: visits to the landing page by IP address and by day, and the resulting sales. */
export function AdminVisitorScreen() {
	const [{ days, sort }, setSearch] = useUrlState(visitsSearch);
	return (
		<ListScreen back={<GoBackButton label={m.visits_back()} />} title={m.screen_visitors()}>
			<VisitFigures days={days} onDays={(value) => setSearch({ days: value })} />
			<Stack gap={16}>
				<VisitAddresses key={sort} sort={sort} onSort={(value) => setSearch({ sort: value })} />
				<VisitSettings />
			</Stack>
		</ListScreen>
	);
}
