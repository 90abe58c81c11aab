import { notFound, redirect } from '@tanstack/react-router';
import { canSeeScreen, findScreen, homePath, twoFactorSetupPath } from '#contract/core/screens.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { sessionQuery } from '#web/platform/session/session.ts';

/** Checks access to a screen by the same rules as the server. @throws the router's `notFound` or `redirect` */
export async function guardScreen(pathname: string): Promise<void> {
	const screen = findScreen(pathname);
	if (screen === undefined) throw notFound();
	if (screen.path === '/') throw redirect({ href: '/', reloadDocument: true });
	if (screen.role === 'public' && screen.path !== '/login') return;

	const session = await queryClient.ensureQueryData(sessionQuery);
	if (screen.path === '/login') {
		if (session.state === 'active') throw redirect({ to: homePath(session.me.role), replace: true });
		return;
	}
	if (session.state === 'inactive') {
		if (screen.path === '/dashboard') throw redirect({ to: '/login', search: { reason: 'deactivated' } });
		return;
	}
	if (session.state === 'anonymous') {
		if (screen.anonymous === '/login') throw redirect({ to: '/login' });
		throw redirect({ href: '/', reloadDocument: true });
	}
	if (session.me.mustSetUpTwoFactor && screen.path !== twoFactorSetupPath) throw redirect({ to: twoFactorSetupPath });
	if (!canSeeScreen(screen, session.me.role)) throw redirect({ to: screen.denied ?? '/unauthorized' });
}
