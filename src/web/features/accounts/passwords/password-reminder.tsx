import { Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './password-reminder.module.css';

/** Asks a buyer to replace the first password, which was mailed. Dismissing the notice applies only to this browser. */
export function PasswordReminder() {
	const me = useMe();
	const [isDismissed, setDismissed] = useLocalStorage({
		key: `password_reminder_dismissed_${me.id}`,
		defaultValue: false,
		getInitialValueInEffect: false,
	});
	const request = useChange(client.account.requestReset, { onSuccess: () => toastSuccess(m.account_reset_sent()) });
	// The first owner's password was not mailed, and the first steps ask for a new one.
	if (!me.hasInitialPassword || me.role === 'admin' || isDismissed) return null;
	return (
		<div className={classes.reminder}>
			<Notice
				tone="info"
				action={
					<Group align="stretch" gap={4} maw="100%">
						<Button size="small" disabled={request.isPending} onClick={() => request.mutate({ email: me.email })}>
							{m.account_reminder_link()}
						</Button>
						<Button size="small" variant="quiet" onClick={() => setDismissed(true)}>
							{m.account_reminder_dismiss()}
						</Button>
					</Group>
				}
			>
				{m.account_reminder()}
			</Notice>
		</div>
	);
}
