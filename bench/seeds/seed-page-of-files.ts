import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { createDeps } from '#server/start.ts';
import { readProductDurability } from './product-durability.ts';

const files = 200;
const kinds = [
	{ ending: 'pdf', contentType: 'application/pdf' },
	{ ending: 'jpg', contentType: 'image/jpeg' },
	{ ending: 'zip', contentType: 'application/zip' },
] as const;

/**
 * `node bench/seeds/seed-page-of-files.ts`: fills the empty installation that the environment names with one member, a
 * session and 200 files at the root of the space, and prints the session's token and the durability of the product's
 * connection.
 */
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const member = { email: 'member@bench.example', password: 'a page of fifty' };
const passwordHash = await hashPassword(member.password);
await inTransaction(deps.db, async (tx) => {
	const userId = await createUser(deps, tx, {
		email: member.email,
		name: 'A Member',
		role: 'user',
		passwordHash,
		isInitialPassword: false,
	});
	if (userId === null) throw new Error('The installation is not empty.');
	// Also creates an admin: otherwise the server would create one at its first start, which would take longer.
	await createUser(deps, tx, {
		email: 'owner@bench.example',
		name: null,
		role: 'admin',
		passwordHash,
		isInitialPassword: false,
	});
	for (let number = 1; number <= files; number += 1) {
		const { ending, contentType } = kinds[number % kinds.length] ?? kinds[0];
		const name = `${String(number).padStart(3, '0')} Worksheet of the week.${ending}`;
		const bytes = Buffer.from(`bench ${number}`);
		const storageKey = `files/${member.email}/${newId()}-${number}.${ending}`;
		const stored = await deps.storage.put(storageKey, bytes);
		await insertFile(deps, tx, {
			ownerId: userId,
			parent: { id: null, path: '' },
			name,
			blob: { id: newId(), storageKey, ...stored, contentType },
		});
	}
});
const { token } = await signIn(deps, systemCaller, member);
const durability = await readProductDurability(deps.db);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token, durability }));
