import { m } from '#messages';
import { useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import classes from './profile-section.module.css';

/** Who is signed in here. */
export function ProfileSection() {
	const me = useMe();
	return (
		<Section title={m.account_profile()}>
			<div className={classes.profile}>
				<Avatar name={me.name} email={me.email} size={40} />
				<div className={classes.text}>
					<p className={classes.name}>{me.name ?? me.email}</p>
					{me.name !== null && <p className={classes.email}>{me.email}</p>}
				</div>
				<Badge tone="outline">{me.role === 'admin' ? m.common_role_admin() : m.common_role_user()}</Badge>
			</div>
		</Section>
	);
}
