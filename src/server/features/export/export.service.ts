import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { listOrdersOf } from '../orders/orders.service.ts';
import { listDocumentsFor } from '../sharing/sharing.service.ts';
import * as queries from './export.queries.ts';

const filesPerPage = 1000;

/**
 * Everything that is kept about a person, as JSON in pieces: profile, sign-ins, sessions, orders with the facts of their
 * proofs, what is shared with them, how far they are in lessons, and the files by name and size. No password, token or key; nothing of anybody else.
 * @throws AppError UNAUTHORIZED when the account is gone
 */
export async function exportPerson(deps: Deps, { userId }: Pick<Actor, 'userId'>): Promise<AsyncGenerator<string>> {
	const profile = await queries.findProfile(deps.db, userId);
	if (profile === undefined) throw new AppError('UNAUTHORIZED');
	const head = {
		exportedAt: isoAt(deps.clock),
		profile,
		signIns: await queries.listSignIns(deps.db, userId),
		sessions: await queries.listSessions(deps.db, userId),
		orders: await listOrdersOf(deps, userId),
		sharedWithMe: await listDocumentsFor(deps, userId),
		lessons: await queries.listLessons(deps.db, userId),
	};
	return writeExport(deps, userId, head);
}

/** The files come last and page by page: a space may hold a hundred thousand. */
async function* writeExport(deps: Deps, userId: string, head: object): AsyncGenerator<string> {
	yield `${JSON.stringify(head, null, '\t').slice(0, -2)},\n\t"files": [`;
	const folders = new Map((await queries.listFolders(deps.db, userId)).map(({ realPath, name }) => [realPath, name]));
	let separator = '\n\t\t';
	for (let after = ''; ; ) {
		const page = await queries.listFiles(deps.db, userId, after, filesPerPage);
		const lines = page.map(({ path, name, sizeBytes, uploadedAt }) => {
			const folder = path === '' ? [] : path.split('/').map((realPath) => folders.get(realPath) ?? realPath);
			return JSON.stringify({ folder, name, sizeBytes, uploadedAt });
		});
		if (lines.length > 0) yield separator + lines.join(',\n\t\t');
		separator = ',\n\t\t';
		const last = page.at(-1);
		if (last === undefined || page.length < filesPerPage) break;
		after = last.id;
	}
	yield '\n\t]\n}\n';
}
