import { Stack } from '@mantine/core';
import { m } from '#messages';
import { VisitAddresses } from '#web/features/storefront/visits/visit-addresses.tsx';
import { VisitFigures, visitsSearch } from '#web/features/storefront/visits/visit-figures.tsx';
import { VisitSettings } from '#web/features/storefront/visits/visit-settings.tsx';
import { useUrlState } from '#web/platform/browser/url-state.ts';
import { GoBackButton } from '#web/ui/layout/page-header.tsx';
import { ListScreen } from '#web/ui/layout/section.tsx';

/** /admin/visitor: visits to the landing page by IP address and by day, and the resulting sales. */
export function AdminVisitorScreen() {
	const [{ sort }] = useUrlState(visitsSearch);
	return (
		<ListScreen back={<GoBackButton label={m.visits_back()} />} title={m.screen_visitors()}>
			<VisitFigures />
			<Stack gap={16}>
				<VisitAddresses key={sort} />
				<VisitSettings />
			</Stack>
		</ListScreen>
	);
}
