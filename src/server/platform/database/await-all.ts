/** PostgreSQL's code for a query after another query of its transaction has failed. */
const failedTransaction = '25P02';

/**
 * Like `Promise.all`, for queries of one connection: after an error it waits until every query has ended. Otherwise a
 * query that waits for its turn would run after the ROLLBACK and be committed by itself, or run in the transaction of the
 * next user of the connection. Throws the first error that is not only a consequence of another.
 */
export async function awaitAll<Running extends readonly unknown[]>(running: readonly [...Running]) {
	const results = await Promise.allSettled(running);
	const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
	const cause = errors.find((error) => (error as { code?: unknown }).code !== failedTransaction);
	if (cause !== undefined) throw cause;
	return Promise.all<Running>(running as Running);
}
