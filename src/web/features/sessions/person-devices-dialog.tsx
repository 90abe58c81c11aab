import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SessionList } from './session-list.tsx';
import { useEndAllSessions, useSessions } from './sessions.api.ts';

interface PersonDevicesDialogProps {
	person: { id: string; email: string; name: string | null; isSelf: boolean };
	onClose: () => void;
}

/** Where somebody is signed in, for admins. Mount it to open it. */
export function PersonDevicesDialog({ person, onClose }: PersonDevicesDialogProps) {
	const total = useSessions(person).data?.pages[0]?.total ?? 0;
	const all = useEndAllSessions(person);
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.sessions_of({ name: person.name ?? person.email })}
			width={640}
			foot={
				<>
					<Button onClick={onClose}>{m.common_close()}</Button>
					<Button variant="danger" disabled={all.isPending || total <= (person.isSelf ? 1 : 0)} onClick={all.end}>
						{person.isSelf ? m.sessions_end_others() : m.sessions_end_all()}
					</Button>
				</>
			}
		>
			<SessionList whose={person} />
		</Dialog>
	);
}
