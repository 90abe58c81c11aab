import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AccountDeletion } from '#contract/accounts/deletion.ts';
import { insertFile } from '#server/features/files/tree/tree.service.ts';
import { parseConfig } from '#server/platform/config.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Deps } from '#server/platform/deps.ts';
import { closeDeps, createDeps } from '#server/start.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { makeFolder } from '../../support/fixtures/files.ts';
import type { BuiltServer } from '../../support/services/built-server.ts';
import { signInOwner } from '../../support/services/server-client.ts';
import { waitUntil } from './report.ts';
import { checkFiles } from './server.ts';

export interface MemberWithFiles {
	id: string;
	email: string;
	fileCount: number;
}

/** Runs `work` directly on the data of a built server, like an operator's command. */
export async function withData<T>(server: BuiltServer, work: (deps: Deps) => Promise<T>): Promise<T> {
	const config = parseConfig({ DATA_DIR: server.dataDir, PUBLIC_URL: server.url, LOG_LEVEL: 'silent' });
	const deps = await createDeps(config);
	try {
		return await work(deps);
	} finally {
		await closeDeps(deps);
	}
}

export async function fillSpace(server: BuiltServer, { id, email, fileCount }: MemberWithFiles): Promise<void> {
	await withData(server, async (deps) => {
		const folders: Array<{ id: string; path: string }> = [];
		for (let number = 0; number < 10; number += 1) {
			const above = number % 2 === 0 ? '' : (folders.at(-1)?.path ?? '');
			folders.push(await makeFolder(deps, email, `Folder ${number}`, above));
		}
		const files = Array.from({ length: fileCount }, (_, number) => {
			const bytes = Buffer.from(`file ${number} of ${email}`);
			const sha256 = createHash('sha256').update(bytes).digest('hex');
			const storageKey = `files/${email}/${number % 10}/${randomUUID()}`;
			return { number, bytes, blob: { id: randomUUID(), storageKey, sizeBytes: bytes.length, sha256 } };
		});
		for (const { bytes, blob } of files) {
			const file = join(server.dataDir, 'storage', blob.storageKey);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, bytes);
		}
		await inTransaction(deps.db, async (tx) => {
			for (const { number, blob } of files) {
				await insertFile(deps, tx, {
					ownerId: id,
					parent: folders[number % 10] ?? { id: null, path: '' },
					name: `${number}.txt`,
					blob: { ...blob, contentType: 'application/octet-stream' },
				});
			}
		});
	});
}

/** Finds remaining data of the deleted user, and data that other users have lost. */
export async function checkDeletion(
	server: BuiltServer,
	gone: MemberWithFiles,
	other: MemberWithFiles,
): Promise<string[]> {
	const owner = await signInOwner(server.url);
	const isDone = async () => (await owner.get<AccountDeletion[]>('/api/removals')).length === 0;
	await waitUntil(isDone, 'an account deletion still runs', 120_000);
	const faults = await withData(server, (deps) => checkRows(deps, gone, other));
	const bytesLeft = await countStoredFiles(join(server.dataDir, 'storage', 'files', gone.email));
	if (bytesLeft > 0) faults.push(`${bytesLeft} stored files of the deleted user are left`);
	const chunksLeft = await countStoredFiles(join(server.dataDir, 'uploads'));
	if (chunksLeft > 0) faults.push(`${chunksLeft} chunks of unfinished uploads are left`);
	const count = await countStoredFiles(join(server.dataDir, 'storage', 'files', other.email));
	if (count !== other.fileCount) faults.push(`${other.email} has ${count} stored files, not ${other.fileCount}`);
	return [...faults, ...(await checkFiles(server))];
}

async function checkRows({ db }: Deps, gone: MemberWithFiles, other: MemberWithFiles): Promise<string[]> {
	const faults: string[] = [];
	const left = {
		users: await findRows({ db }, 'users', { id: gone.id }),
		nodes: await findRows({ db }, 'nodes', { owner_id: gone.id }),
		blobs: await db.selectFrom('blobs').select('id').where('storage_key', 'like', `files/${gone.email}/%`).execute(),
		uploads: await findRows({ db }, 'uploads', { owner_id: gone.id }),
		sessions: await findRows({ db }, 'sessions', { user_id: gone.id }),
		sign_ins: await findRows({ db }, 'login_history', { user_id: gone.id }),
		links: await findRows({ db }, 'password_links', { user_id: gone.id }),
		mails: await findRows({ db }, 'outbox', { recipient: gone.email }),
		jobs: await findRows({ db }, 'jobs', { kind: 'person-removal' }),
	};
	for (const [what, rows] of Object.entries(left)) if (rows.length > 0) faults.push(`${rows.length} ${what} are left`);
	const orders = await db.selectFrom('orders').select('user_id').where('email', '=', gone.email).execute();
	if (orders.length !== 1 || orders[0]?.user_id !== null)
		faults.push(`the order of the deleted user is ${JSON.stringify(orders)}`);
	const audit = await db.selectFrom('audit').select('id').where('action', '=', 'user-deleted').execute();
	if (audit.length !== 1) faults.push(`the audit list names ${audit.length} deletions`);
	const { length } = await findRows({ db }, 'nodes', { owner_id: other.id, kind: 'file' });
	if (length !== other.fileCount) faults.push(`${other.email} has ${length} files, not ${other.fileCount}`);
	return faults;
}

async function countStoredFiles(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).length;
}
