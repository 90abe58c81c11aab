import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { Section } from '#web/ui/layout/section.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { SessionList } from './session-list.tsx';
import { useEndAllSessions, useSessions } from './sessions-api.ts';

export function UserDevicesDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
	const total = useSessions(user).data?.pages[0]?.total ?? 0;
	const all = useEndAllSessions(user);
	return (
		<Dialog
			onClose={onClose}
			title={m.sessions_of({ name: user.name ?? user.email })}
			width={640}
			footer={
				<>
					<Button onClick={onClose}>{m.common_close()}</Button>
					<Button
						variant="danger"
						disabled={all.isPending || total <= (user.isSelf ? 1 : 0)}
						onClick={() => all.mutate({})}
					>
						{user.isSelf ? m.sessions_end_others() : m.sessions_end_all()}
					</Button>
				</>
			}
		>
			<SessionList whose={user} />
		</Dialog>
	);
}

export function OwnDevicesSection() {
	const total = useSessions('own').data?.pages[0]?.total ?? 0;
	const all = useEndAllSessions('own');
	return (
		<Section
			title={m.sessions_title()}
			intro={m.sessions_intro()}
			aside={
				total > 1 && (
					<Button size="small" disabled={all.isPending} onClick={() => all.mutate({})}>
						{m.sessions_end_others()}
					</Button>
				)
			}
		>
			<SessionList whose="own" />
		</Section>
	);
}
