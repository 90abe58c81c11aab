import { limits } from '#contract/core/limits.ts';
import type { FolderPaths } from '#contract/files/files.ts';
import { client } from '#web/platform/api.ts';
import { describeFailure, FailedCall } from '#web/platform/failure.ts';
import { isWorthRetrying, type Patience } from './upload-retry.ts';
import type { UploadTarget } from './upload-task.ts';

const pathsAtOnce = 200;
const againMs = 2000;

/** Finds the folder at the end of a path of names. @throws FailedCall when it cannot be made */
export type FindFolder = (folders: readonly string[]) => Promise<string>;

/**
 * Makes the folders of a tree, some hundred in a call and patiently, and says of each path of names where it lies.
 * @param askToSignIn called when the session is over; it goes on by itself after that
 */
export function planFolders(
	target: UploadTarget,
	lists: ReadonlyArray<readonly string[]>,
	patience: Patience,
	askToSignIn: () => void,
): FindFolder {
	const keys = [...new Set(lists.filter((list) => list.length > 0).map(keyOf))];
	const calls = new Map<string, Promise<FolderPaths['items'][number] | undefined>>();
	let before: Promise<unknown> = Promise.resolve();
	for (let start = 0; start < keys.length; start += pathsAtOnce) {
		const some = keys.slice(start, start + pathsAtOnce);
		const paths = some.map((key) => JSON.parse(key) as string[]);
		// One after the other: a folder of the second call may be made by the first.
		const call = before.then(() => ensurePatiently(target, paths, patience, askToSignIn));
		call.catch(() => undefined);
		before = call.catch(() => undefined);
		for (const [index, key] of some.entries()) {
			const found = call.then(({ items }) => items[index]);
			found.catch(() => undefined);
			calls.set(key, found);
		}
	}
	return async (folders) => {
		if (folders.length === 0) return target.path;
		if (folders.length > limits.folderDepthMax) throw refusal('NAME_TOO_LONG', '');
		const item = await calls.get(keyOf(folders));
		if (item?.path == null) throw refusal(item?.code ?? 'INTERNAL', item?.message ?? '');
		return item.path;
	};
}

async function ensurePatiently(
	{ owner, path }: UploadTarget,
	paths: string[][],
	patience: Patience,
	askToSignIn: () => void,
): Promise<FolderPaths> {
	for (;;) {
		try {
			return await client.files.ensureFolders({ owner, path, paths });
		} catch (error) {
			const { status, code } = describeFailure(error);
			if (status === 401) askToSignIn();
			else if (!isWorthRetrying({ method: 'POST', status, code }) || !patience.isLeft()) throw error;
			await new Promise((resolve) => setTimeout(resolve, againMs));
		}
	}
}

function refusal(code: string, message: string): FailedCall {
	return new FailedCall({ code, status: 422, message, fields: {} });
}

function keyOf(folders: readonly string[]): string {
	return JSON.stringify(folders);
}
