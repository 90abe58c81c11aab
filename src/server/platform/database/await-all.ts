/**
 * Like `Promise.all`, for queries of one connection: after an error it waits until every query has ended. Otherwise a
 * query that waits for its turn would run after the ROLLBACK and be committed by itself, or run in the transaction of the
 * next user of the connection.
 */
export async function awaitAll<Running extends readonly unknown[]>(running: readonly [...Running]) {
	await Promise.allSettled(running);
	return Promise.all<Running>(running as Running);
}
