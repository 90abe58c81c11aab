import { Flex } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { m } from '#messages';
import { LoginForm } from '#web/features/accounts/sign-in/login-form.tsx';
import classes from '#web/features/accounts/sign-in/sign-in-form.module.css';
import { ContactLinks, hasContact } from '#web/features/settings/contact-info.tsx';
import { readSite } from '#web/platform/browser/site.ts';
import { PublicFrame } from '#web/ui/layout/public-frame.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

/** /login?reason=&back=: shows why the user was redirected here. After signing in, opens `back`. */
export function LoginScreen() {
	const { back, reason }: Record<string, unknown> = useSearch({ strict: false });
	return (
		<PublicFrame
			title={m.screen_login()}
			below={
				<Link to="/forget" className={classes.link}>
					{m.account_forgot()}
				</Link>
			}
		>
			<Flex direction="column" gap={16}>
				<Reason reason={reason} isExpired={typeof back === 'string'} />
				<LoginForm returnPath={typeof back === 'string' ? back : undefined} />
			</Flex>
		</PublicFrame>
	);
}

function Reason({ reason, isExpired }: { reason: unknown; isExpired: boolean }) {
	if (reason === 'deactivated') return <Notice tone="negative">{m.error_dashboard_deactivated()}</Notice>;
	if (reason === 'deletion') return <Notice tone="negative">{m.account_deletion_own_done()}</Notice>;
	if (reason === 'password-set') return <Notice tone="positive">{m.account_password_set()}</Notice>;
	if (reason === 'chat') return <StorefrontNotice text={m.account_chat_needs_login()} />;
	if (reason === 'page') return <StorefrontNotice text={m.account_page_needs_login()} />;
	if (reason === 'device') return <Notice tone="info">{m.sessions_ended_here()}</Notice>;
	if (reason === 'password') return <Notice tone="info">{m.sessions_password_changed()}</Notice>;
	return isExpired ? <Notice tone="info">{m.error_unauthorized()}</Notice> : null;
}

/** For a visitor who has followed a link of the storefront but may have no login: also other ways to reach the seller. */
function StorefrontNotice({ text }: { text: string }) {
	const { contact } = readSite();
	return (
		<Notice tone="info">
			{text} {hasContact(contact) && m.account_chat_other_ways()}
			<ContactLinks {...contact} />
		</Notice>
	);
}
