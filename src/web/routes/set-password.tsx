import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { PasswordForm } from '#web/features/account/account-password-form.tsx';
import { api } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { FailedState } from '#web/ui/faces.tsx';
import { PublicFrame } from '#web/ui/public-frame.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** /set-password#token=: in the fragment, which no log and no other site gets; opening it uses nothing up. */
export function SetPasswordScreen() {
	const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') ?? '' });
	const [isInvalid, setInvalid] = useState(false);
	const link = useQuery({
		...api.account.checkLink.queryOptions({ input: { token } }),
		enabled: token !== '',
		staleTime: Number.POSITIVE_INFINITY,
	});

	if (token === '' || isInvalid || link.data?.isUsable === false) {
		return (
			<PublicFrame title={m.screen_set_password()} intro={m.error_link_invalid()}>
				<ButtonLink to="/forget" variant="primary" isFullWidth>
					{m.account_ask_new_link()}
				</ButtonLink>
			</PublicFrame>
		);
	}
	if (link.isError) {
		return (
			<PublicFrame title={m.screen_set_password()}>
				<FailedState
					text={describeFailure(link.error).message}
					onRetry={() => void link.refetch()}
					isRetrying={link.isFetching}
				/>
			</PublicFrame>
		);
	}
	return (
		<PublicFrame title={m.screen_set_password()}>
			{link.isPending ? (
				<Skeleton height="36px" />
			) : (
				<PasswordForm token={token} onLinkInvalid={() => setInvalid(true)} />
			)}
		</PublicFrame>
	);
}
