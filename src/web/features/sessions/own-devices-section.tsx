import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { SessionList } from './session-list.tsx';
import { useEndAllSessions, useSessions } from './sessions.api.ts';

/** One's own devices, on the account screen. */
export function OwnDevicesSection() {
	const total = useSessions('own').data?.pages[0]?.total ?? 0;
	const all = useEndAllSessions('own');
	return (
		<Section
			title={m.sessions_title()}
			intro={m.sessions_intro()}
			aside={
				total > 1 && (
					<Button size="small" disabled={all.isPending} onClick={all.end}>
						{m.sessions_end_others()}
					</Button>
				)
			}
		>
			<SessionList whose="own" />
		</Section>
	);
}
