import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import classes from '#web/features/accounts/sign-in/sign-in-form.module.css';
import { AddCredentialsForm } from '#web/features/credentials/credentials-add-form.tsx';
import { CredentialsLookup } from '#web/features/credentials/credentials-lookup.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';

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
				<Box
					component="section"
					mt={32}
					pt={24}
					style={{ borderTop: '1px solid var(--line)' }}
					aria-labelledby="add-credentials"
				>
					<Box component="h2" id="add-credentials" mb={16} fz="xl" fw={600}>
						{m.credentials_add()}
					</Box>
					<AddCredentialsForm />
				</Box>
			)}
		</PublicFrame>
	);
}
