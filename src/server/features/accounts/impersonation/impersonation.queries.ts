import type { Db } from '../../../platform/database/schema.ts';

export type ExpiredImpersonation = Awaited<ReturnType<typeof findExpiredImpersonations>>[number];

/** Views that are over although nobody ended them: by the hour, or because session, admin or member are not what they were. */
export function findExpiredImpersonations(db: Db, now: string, limit: number) {
	return db
		.selectFrom('sessions')
		.innerJoin('users as admin', 'admin.id', 'sessions.user_id')
		.leftJoin('users as member', 'member.id', 'sessions.viewed_user_id')
		.select([
			'sessions.id as sessionId',
			'sessions.view_ends_at as endsAt',
			'admin.id as adminId',
			'admin.email as adminEmail',
			'member.id as memberId',
			'member.email as memberEmail',
		])
		.where('sessions.view_ends_at', 'is not', null)
		.where((where) =>
			where.or([
				where('sessions.view_ends_at', '<=', now),
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

/** Takes a view off its session. @returns false when it was taken off already, or is another one by now */
export async function clearImpersonation(
	tx: Db,
	impersonation: { sessionId: string; endsAt: string | null },
): Promise<boolean> {
	const row = await tx
		.updateTable('sessions')
		.set({ viewed_user_id: null, view_ends_at: null })
		.where('id', '=', impersonation.sessionId)
		.where('view_ends_at', '=', impersonation.endsAt)
		.returning('id')
		.executeTakeFirst();
	return row !== undefined;
}
