import type { Db } from '../../db/schema.ts';

/** What a session shows from now on: a member's product until a moment, or the own one again. */
export async function setView(
	tx: Db,
	sessionId: string,
	view: { userId: string; endsAt: string } | null,
): Promise<void> {
	await tx
		.updateTable('sessions')
		.set({ viewed_user_id: view?.userId ?? null, view_ends_at: view?.endsAt ?? null })
		.where('id', '=', sessionId)
		.where('ended_at', 'is', null)
		.execute();
}
