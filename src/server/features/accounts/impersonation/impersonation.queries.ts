import type { Db } from '../../../platform/database/schema.ts';

/**
 * Finds the impersonations to end: the hour is over, the session has ended, the admin is no longer an active admin, or
 * the member is no longer an active member.
 */
export function findExpiredImpersonations(db: Db, now: string, limit: number) {
	return db
		.selectFrom('sessions')
		.innerJoin('users as admin', 'admin.id', 'sessions.user_id')
		.leftJoin('users as member', 'member.id', 'sessions.impersonated_user_id')
		.select([
			'sessions.id as sessionId',
			'sessions.impersonation_ends_at as endsAt',
			'admin.id as adminId',
			'admin.email as adminEmail',
			'member.id as memberId',
			'member.email as memberEmail',
		])
		.where('sessions.impersonation_ends_at', 'is not', null)
		.where((where) =>
			where.or([
				where('sessions.impersonation_ends_at', '<=', now),
				where('sessions.ended_at', 'is not', null),
				where('sessions.expires_at', '<=', now),
				where('admin.role', '<>', 'admin'),
				where('admin.active', '=', 0),
				where('member.id', 'is', null),
				where('member.role', '<>', 'user'),
				where('member.active', '=', 0),
			]),
		)
		.limit(limit)
		.execute();
}
