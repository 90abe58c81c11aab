import type { Actor } from '../../platform/actor.ts';
import { required } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { readInSteps } from '../../platform/cursor.ts';
import { realPathsOf } from '../../platform/database/folder-paths.ts';
import type { Deps } from '../../platform/deps.ts';
import { listOwnOrders } from '../orders/index.ts';
import { listShareRecordsFor } from '../sharing/index.ts';
import * as queries from './user-data-export.queries.ts';

const filesPerPage = 1000;
const messagesPerPage = 200;
const annotationsPerPage = 200;

/**
 * Exports the data of a user as chunks of JSON. The data include file names and sizes, but not the files. They
 * include no passwords, tokens or keys, and no data of other users.
 * @throws AppError UNAUTHORIZED when the account was deleted
 */
export async function exportUserData(deps: Deps, { userId }: Pick<Actor, 'userId'>): Promise<AsyncGenerator<string>> {
	const profile = required(await queries.findProfile(deps.db, userId), 'UNAUTHORIZED');
	const summary = {
		exportedAt: isoAt(deps.clock),
		profile,
		signIns: await queries.listSignIns(deps.db, userId),
		sessions: await queries.listSessions(deps.db, userId),
		orders: await listOwnOrders(deps, userId),
		sharedWithMe: await listShareRecordsFor(deps, { userId, email: profile.email }),
		groups: await queries.listGroups(deps.db, userId),
		lessons: await queries.listLessons(deps.db, userId),
		reading: await queries.listReadingPositions(deps.db, userId),
		bookGrant: (await queries.findBookAccess(deps.db, userId)) ?? null,
		savedFilters: await queries.listSavedFilters(deps.db, userId),
		bookCopies: await queries.listWatermarkedCopies(deps.db, userId),
	};
	return writeExport(deps, userId, summary);
}

/** Yields the summary, then the long lists page by page, because a space may contain a hundred thousand files. */
async function* writeExport(deps: Deps, userId: string, summary: object): AsyncGenerator<string> {
	yield `${JSON.stringify(summary, null, '\t').slice(0, -2)},\n\t"marks": [`;
	const marks = (after: string) => queries.listAnnotations(deps.db, userId, after, annotationsPerPage);
	yield* writeLines(readInSteps('', annotationsPerPage, marks, idOf), ({ id: _id, ...mark }) => mark);
	yield '\n\t],\n\t"chat": [';
	const messages = (after: number) => queries.listMessages(deps.db, userId, after, messagesPerPage);
	yield* writeLines(
		readInSteps(0, messagesPerPage, messages, ({ sequence }) => sequence),
		({ line }) => line,
	);
	yield '\n\t],\n\t"files": [';
	const folders = new Map((await queries.listFolders(deps.db, userId)).map(({ realPath, name }) => [realPath, name]));
	const files = (after: string) => queries.listFiles(deps.db, userId, after, filesPerPage);
	yield* writeLines(readInSteps('', filesPerPage, files, idOf), ({ path, name, sizeBytes, uploadedAt }) => {
		const folder = realPathsOf(path).map((realPath) => folders.get(realPath) ?? realPath);
		return { folder, name, sizeBytes, uploadedAt };
	});
	yield '\n\t]\n}\n';
}

const idOf = ({ id }: { id: string }) => id;

async function* writeLines<Row>(pages: AsyncIterable<Row[]>, toLine: (row: Row) => object): AsyncGenerator<string> {
	let separator = '\n\t\t';
	for await (const page of pages) {
		yield separator + page.map((row) => JSON.stringify(toLine(row))).join(',\n\t\t');
		separator = ',\n\t\t';
	}
}
