import { Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { m } from '#messages';
import { PasswordResetForm, SetPasswordForm } from '#web/features/accounts/passwords/password-forms.tsx';
import classes from '#web/features/accounts/sign-in/sign-in-form.module.css';
import { ContactLinks, hasContact } from '#web/features/settings/contact-info.tsx';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { readSite } from '#web/platform/browser/site.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import { ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedState } from '#web/ui/states/states.tsx';

/** /set-password#token=…: browsers do not send the fragment, so servers cannot log the token. */
export function SetPasswordScreen() {
	const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') ?? '' });
	const [isInvalid, setInvalid] = useState(false);
	const link = useQuery({
		...api.account.checkLink.queryOptions({ input: { token } }),
		enabled: token !== '',
		staleTime: Number.POSITIVE_INFINITY,
	});

	const isUnusable = token === '' || isInvalid || link.data?.isUsable === false;
	return (
		<PublicFrame title={m.screen_set_password()} intro={isUnusable ? m.error_link_invalid() : undefined}>
			{isUnusable ? (
				<ButtonLink to="/forget" variant="primary" isFullWidth>
					{m.account_ask_new_link()}
				</ButtonLink>
			) : link.isError ? (
				<FailedState
					text={describeFailure(link.error).message}
					onRetry={() => void link.refetch()}
					isRetrying={link.isFetching}
				/>
			) : link.isPending ? (
				<Skeleton height="36px" />
			) : (
				<SetPasswordForm token={token} onLinkInvalid={() => setInvalid(true)} />
			)}
		</PublicFrame>
	);
}

export function ForgotPasswordScreen() {
	const { contact } = readSite();
	return (
		<PublicFrame
			title={m.screen_forgot_password()}
			intro={m.account_reset_intro()}
			below={
				<Link to="/login" className={classes.link}>
					{m.account_back_to_login()}
				</Link>
			}
		>
			<Flex direction="column" gap={16}>
				<PasswordResetForm />
				{hasContact(contact) && (
					<Notice tone="info">
						{m.account_reset_other_ways()}
						<ContactLinks {...contact} />
					</Notice>
				)}
			</Flex>
		</PublicFrame>
	);
}
