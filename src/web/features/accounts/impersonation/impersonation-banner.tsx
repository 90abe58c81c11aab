import { IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { sessionQuery, useSession } from '#web/platform/session/session.ts';
import { useHeightVariable } from '#web/ui/hooks/viewport.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from './impersonation-banner.module.css';

/** While an admin sees the product as a member does: whose it is, and the way back. Above every screen; nothing otherwise. */
export function ImpersonationBanner() {
	const session = useSession();
	if (session.state !== 'active' || session.me.view === null) return null;
	return <Banner email={session.me.email} endsAt={session.me.view.endsAt} />;
}

function Banner({ email, endsAt }: { email: string; endsAt: string }) {
	const queryClient = useQueryClient();
	const banner = useRef<HTMLDivElement>(null);
	useHeightVariable(banner, '--view-banner');
	const refetchSession = useCallback(
		() => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
		[queryClient],
	);
	const end = useMutation(
		api.viewAs.end.mutationOptions({
			onSuccess: refetchSession,
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
	useEffect(() => {
		// A little after: the server must find it over.
		const timer = window.setTimeout(refetchSession, Math.max(Date.parse(endsAt) - Date.now(), 0) + 1000);
		return () => window.clearTimeout(timer);
	}, [endsAt, refetchSession]);
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
