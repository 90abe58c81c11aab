import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/section.tsx';
import classes from './account-profile-section.module.css';

/** Who is signed in here. */
export function ProfileSection() {
	const me = useMe();
	return (
		<Section title={m.account_profile()}>
			<div className={classes.person}>
				<Avatar name={me.name} email={me.email} size={40} />
				<div className={classes.words}>
					<p className={classes.name}>{me.name ?? me.email}</p>
					{me.name !== null && <p className={classes.email}>{me.email}</p>}
				</div>
				<Badge tone="outline">{me.role === 'admin' ? m.common_role_admin() : m.common_role_user()}</Badge>
			</div>
		</Section>
	);
}
