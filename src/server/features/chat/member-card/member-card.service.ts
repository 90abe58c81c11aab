import type { MemberCard } from '#contract/chat/member-card.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserById, getUserSummary } from '../../accounts/index.ts';
import { getReadableEditions } from '../../book/index.ts';
import { summariseCourse } from '../../course/index.ts';
import { listOrdersOfUser, sendLoginLinks } from '../../orders/index.ts';

/** Returns the member details shown beside a conversation. @throws AppError NOT_FOUND */
export async function getMemberCard(deps: Deps, caller: Caller, userId: string): Promise<MemberCard> {
	const user = required(await findUserById(deps.db, userId), 'NOT_FOUND');
	const { access, editions } = await getReadableEditions(deps, { actor: { userId, role: user.role } });
	return {
		person: await getUserSummary(deps, caller, userId),
		memberSince: user.created_at,
		orders: await listOrdersOfUser(deps, userId),
		book: { access, editions: editions.map(({ key, part, language }) => ({ key, part, language })) },
		course: await summariseCourse(deps.db, userId),
	};
}

/** Mails the user a link to set a password. @throws AppError NOT_FOUND, LOGIN_NOT_OPEN, TOO_MANY_RESETS */
export async function sendLogin(deps: Deps, caller: Caller, userId: string): Promise<{ email: string }> {
	const { email } = required(await findUserById(deps.db, userId), 'NOT_FOUND');
	const outcome = required((await sendLoginLinks(deps, caller, [userId])).get(userId), 'NOT_FOUND');
	if (outcome === 'inactive') throw new AppError('LOGIN_NOT_OPEN');
	if (outcome === 'limit')
		throw new AppError('TOO_MANY_RESETS', { retryAfterSeconds: rateLimits.loginMailPerAccount.seconds });
	return { email };
}
