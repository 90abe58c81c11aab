import { IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { sessionQuery, useMe } from '#web/platform/session.ts';
import { toastError } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import classes from './view-banner.module.css';

/** While an admin sees the product as a member does: whose it is, and the way back. On every screen; nothing otherwise. */
export function ViewBanner() {
	const { email, view } = useMe();
	const queryClient = useQueryClient();
	const lookAgain = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	const end = useMutation(
		api.viewAs.end.mutationOptions({
			onSuccess: lookAgain,
			onError: (error) => toastError(describeFailure(error).message),
		}),
	);
	const endsAt = view?.endsAt;
	useEffect(() => {
		if (endsAt === undefined) return;
		// A little after: the server must find it over.
		const timer = window.setTimeout(
			() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
			Math.max(Date.parse(endsAt) - Date.now(), 0) + 1000,
		);
		return () => window.clearTimeout(timer);
	}, [endsAt, queryClient]);
	if (view === null) return null;
	return (
		<div className={classes.banner} role="status">
			<IconEye {...iconProps} />
			<span className={classes.words}>{m.view_as_banner({ email })}</span>
			<Button size="small" disabled={end.isPending} onClick={() => end.mutate({})}>
				{end.isPending ? m.view_as_going_back() : m.view_as_back()}
			</Button>
		</div>
	);
}
