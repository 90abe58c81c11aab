import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { createDeps } from '#server/start.ts';
import { bindBook } from './bind-book.mjs';

/**
 * `node bench/seeds/seed-book.ts`: adds the sample book's four editions, joined into one PDF, to the book space of the
 * empty installation that the environment names, and prints the session tokens of an admin and a member, and the IDs of
 * the member and the file.
 */
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const passwordHash = await hashPassword('a book of four editions');
const tokens: Record<string, string> = {};
for (const [role, name] of [
	['admin', null],
	['user', 'A Reader'],
] as const) {
	const email = `${role}@bench.example`;
	await createUser(deps, deps.db, { email, name, role, passwordHash, isInitialPassword: false });
	tokens[role] = (await signIn(deps, systemCaller, { email, password: 'a book of four editions' })).token;
}
const { id: memberId } = await deps.db
	.selectFrom('users')
	.select('id')
	.where('role', '=', 'user')
	.executeTakeFirstOrThrow();

const stored = await deps.storage.put('files/bench', await bindBook());
const blob = { id: newId(), storageKey: 'files/bench', ...stored, contentType: 'application/pdf' };
const fileId = await inTransaction(deps.db, (tx) =>
	insertFile(deps, tx, { ownerId: 'book', parent: { id: null, path: '' }, name: 'Four editions.pdf', blob }),
);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ tokens, memberId, fileId, sizeBytes: stored.sizeBytes }));
