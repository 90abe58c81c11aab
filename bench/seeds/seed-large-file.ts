import { randomBytes } from 'node:crypto';
import { signIn } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser } from '#server/features/accounts/users/users.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { createDeps } from '#server/start.ts';

/**
 * `node bench/seeds/seed-large-file.ts MEGABYTES`: adds a file of that size to the guest space of the empty
 * installation that the environment names, and prints the admin's address, password and session token, and the file's
 * ID.
 */
const sizeBytes = Number(process.argv[2]) * 1024 ** 2;
const deps = await createDeps({ ...parseConfig(process.env), LOG_LEVEL: 'warn' });
const owner = { email: 'owner@bench.example', password: 'a large file' };
const passwordHash = await hashPassword(owner.password);
await createUser(deps, deps.db, { ...owner, name: null, role: 'admin', passwordHash, isInitialPassword: false });
const { token } = await signIn(deps, systemCaller, owner);
const [id, storageKey] = [newId(), 'files/bench'];
const stored = await deps.storage.put(storageKey, randomBytes(sizeBytes));
const blob = { id, storageKey, ...stored, contentType: 'application/octet-stream' };
const parent = { id: null, path: '' };
const fileId = await inTransaction(deps.db, (tx) =>
	insertFile(deps, tx, { ownerId: 'guest', parent, name: 'large.bin', blob }),
);
await deps.bus.close();
await deps.connection.close();
console.log(JSON.stringify({ token, fileId, sizeBytes, ...owner }));
