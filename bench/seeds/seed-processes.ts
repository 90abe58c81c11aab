import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { createSession } from '#server/platform/auth/sessions/sessions.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-processes.ts COUNT`: fills the empty installation that the environment names with an admin, a
 * file of the guest space and COUNT members, a session each. Prints the admin's token, the file's ID and the members.
 */
const count = Number(process.argv[2]);
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const passwordHash = await hashPassword('seen on the other');
const bytes = Buffer.from('shared with each of them');
const storageKey = `files/guest/${newId()}.bin`;
const stored = await deps.storage.put(storageKey, bytes);

const seeded = await inTransaction(deps.db, async (tx) => {
	const join = async (name: string, role: 'user' | 'admin') => {
		const email = `${name}@bench.example`;
		const id = await createUser(deps, tx, { email, name: null, role, passwordHash, isInitialPassword: false });
		if (id === null) throw new Error('The installation is not empty.');
		return { id, email, token: (await createSession(deps, tx, id, systemCaller)).token };
	};
	const admin = await join('admin', 'admin');
	const owner = await join('owner.of.the.file', 'user');
	const fileId = await insertFile(deps, tx, {
		ownerId: owner.id,
		parent: { id: null, path: '' },
		name: 'shared.bin',
		blob: { id: newId(), storageKey, ...stored, contentType: 'application/octet-stream' },
	});
	const members: Array<Awaited<ReturnType<typeof join>>> = [];
	for (let number = 1; number <= count; number += 1)
		members.push(await join(`member.${String(number).padStart(6, '0')}`, 'user'));
	return { adminToken: admin.token, fileId, members };
});
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify(seeded));
