import type { Role } from '#contract/accounts/account.ts';
import { canSeeScreen, findScreen } from '#contract/core/screens.ts';

/** The first screen of a role. Source: the specification's section 4. */
export function homePath(role: Role): '/admin' | '/dashboard' {
	return role === 'admin' ? '/admin' : '/dashboard';
}

/** Returns the requested path if it is a protected screen that the role may see; otherwise the home path. */
export function pathAfterSignIn(role: Role, requestedPath: string | undefined): string {
	if (requestedPath === undefined || !/^\/(?![/\\])/u.test(requestedPath)) return homePath(role);
	const target = URL.parse(requestedPath, 'http://own.invalid');
	if (target === null || target.host !== 'own.invalid') return homePath(role);
	const screen = findScreen(target.pathname);
	if (screen === undefined || screen.role === 'public' || !canSeeScreen(screen, role)) return homePath(role);
	return target.pathname + target.search;
}
