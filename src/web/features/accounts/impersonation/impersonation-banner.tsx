import { IconEye } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { sessionQuery, useSession } from '#web/platform/session/session.ts';
import { useHeightVariable } from '#web/ui/hooks/viewport.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './impersonation-banner.module.css';

export function ImpersonationBanner() {
	const session = useSession();
	if (session.state !== 'active' || session.me.view === null) return null;
	return <Banner email={session.me.email} endsAt={session.me.view.endsAt} />;
}

function Banner({ email, endsAt }: { email: string; endsAt: string }) {
	const queryClient = useQueryClient();
	const banner = useRef<HTMLDivElement>(null);
	useHeightVariable(banner, '--view-banner');
	const end = useChange(client.viewAs.end, { refetch: [sessionQuery.queryKey], isPendingUntilRefetched: true });
	useEffect(() => {
		const refetchSession = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
		// Waits one second longer, so that the impersonation has also ended on the server.
		const timer = window.setTimeout(refetchSession, Math.max(Date.parse(endsAt) - Date.now(), 0) + 1000);
		return () => window.clearTimeout(timer);
	}, [endsAt, queryClient]);
	return (
		<div ref={banner} className={classes.banner} role="status">
			<IconEye {...iconProps} />
			<span>{m.impersonation_banner({ email })}</span>
			<Button size="small" disabled={end.isPending} onClick={() => end.mutate({})}>
				{end.isPending ? m.impersonation_going_back() : m.impersonation_back()}
			</Button>
		</div>
	);
}
