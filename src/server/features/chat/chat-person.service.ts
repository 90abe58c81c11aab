import type { ChatPersonCard } from '#contract/chat/chat-person.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { rateLimits, takeAllowance } from '../../platform/auth/rate-limits.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserById } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { summariseCourse } from '../course/course.service.ts';
import { mailLoginToPerson } from '../orders/order-login.service.ts';
import { listPersonOrders } from '../orders/orders.service.ts';
import { getPerson } from '../people/people.service.ts';
import { getShelf } from '../reader/reader.service.ts';

/** What the owner sees beside a conversation. @throws AppError NOT_FOUND */
export async function getChatPerson(deps: Deps, caller: Caller, userId: string): Promise<ChatPersonCard> {
	const user = await findUserById(deps.db, userId);
	if (user === undefined) throw new AppError('NOT_FOUND');
	const { access, editions } = await getShelf(deps, { actor: { userId, role: user.role } });
	return {
		person: await getPerson(deps, caller, userId),
		memberSince: user.created_at,
		orders: await listPersonOrders(deps, userId),
		book: { access, editions: editions.map(({ key, part, language }) => ({ key, part, language })) },
		course: await summariseCourse(deps.db, userId),
	};
}

/**
 * 'Send login again': a link to set a password goes to the person's own address, and nowhere else.
 * @throws AppError NOT_FOUND, LOGIN_NOT_OPEN, TOO_MANY_RESETS
 */
export async function sendLogin(deps: Deps, caller: Caller, userId: string): Promise<{ email: string }> {
	const user = await findUserById(deps.db, userId);
	if (user === undefined) throw new AppError('NOT_FOUND');
	if (user.active === 0) throw new AppError('LOGIN_NOT_OPEN');
	const limit = rateLimits.loginMailPerAccount;
	if (!(await takeAllowance(deps, limit, user.email_key)))
		throw new AppError('TOO_MANY_RESETS', { retryAfterSeconds: limit.seconds });
	await inTransaction(deps.db, async (tx) => {
		await mailLoginToPerson(deps, tx, user, caller.locale);
		await recordAudit(deps, tx, caller, {
			action: 'login-sent',
			subjectKind: 'user',
			subjectId: userId,
			detail: { email: user.email },
		});
	});
	deps.wakeWorkers();
	return { email: user.email };
}
