import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import classes from '#web/features/accounts/sign-in/sign-in-form.module.css';
import { AddCredentialsForm } from '#web/features/credentials/credentials-add-form.tsx';
import { CredentialsLookup } from '#web/features/credentials/credentials-lookup.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import ownClasses from './credentials-lookup-screen.module.css';

/** /insta-credentials: the public lookup, and below it the form for admins. */
export function CredentialsLookupScreen() {
	const session = useSession();
	const isAdmin = session.state === 'active' && session.me.role === 'admin';
	return (
		<PublicFrame
			title={m.screen_credentials()}
			intro={m.credentials_intro()}
			below={
				isAdmin ? (
					<Link to="/admin/credentials" className={classes.link}>
						{m.credentials_manage()}
					</Link>
				) : undefined
			}
		>
			<CredentialsLookup />
			{isAdmin && (
				<section className={ownClasses.add} aria-labelledby="add-credentials">
					<h2 id="add-credentials" className={ownClasses.title}>
						{m.credentials_add()}
					</h2>
					<AddCredentialsForm />
				</section>
			)}
		</PublicFrame>
	);
}
