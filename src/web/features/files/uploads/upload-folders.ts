import { limits } from '#contract/core/limits.ts';
import type { EnsuredFolders } from '#contract/files/files.ts';
import { client } from '#web/platform/api/client.ts';
import { describeFailure, FailedCall } from '#web/platform/api/failure.ts';
import { isWorthRetrying, type RetryDeadline } from './transfer-policy.ts';
import type { UploadTarget } from './upload-task.ts';

const pathsPerCall = 200;
const retryDelayMs = 2000;

/** `folders`: the names from the outermost folder inwards. @throws FailedCall if the folder could not be created */
type FindFolderPath = (folders: readonly string[]) => Promise<string>;

/**
 * Creates the folders of a tree in batches, with retries. Returns a function that finds the path of a created folder.
 * @param askToSignIn called when the session has ended; creation continues after a sign-in
 */
export function ensureFolderTree(
	target: UploadTarget,
	folderPaths: ReadonlyArray<readonly string[]>,
	deadline: RetryDeadline,
	askToSignIn: () => void,
): FindFolderPath {
	const keys = [...new Set(folderPaths.filter((list) => list.length > 0).map(keyOf))];
	const batches = new Map<string, { call: Promise<EnsuredFolders>; index: number }>();
	let previous: Promise<unknown> = Promise.resolve();
	for (let start = 0; start < keys.length; start += pathsPerCall) {
		const batchKeys = keys.slice(start, start + pathsPerCall);
		const paths = batchKeys.map((key) => JSON.parse(key) as string[]);
		// Sequential, because an earlier batch may create parent folders for a later one.
		const call = previous.then(() => ensureFoldersWithRetry(target, paths, deadline, askToSignIn));
		previous = call.catch(() => undefined);
		for (const [index, key] of batchKeys.entries()) batches.set(key, { call, index });
	}
	return async (folders) => {
		if (folders.length === 0) return target.path;
		if (folders.length > limits.folderDepthMax) throw folderError('NAME_TOO_LONG', '');
		const batch = batches.get(keyOf(folders));
		const item = batch && (await batch.call)[batch.index];
		if (item?.path == null) throw folderError(item?.code ?? 'INTERNAL', item?.message ?? '');
		return item.path;
	};
}

async function ensureFoldersWithRetry(
	{ owner, path }: UploadTarget,
	paths: string[][],
	deadline: RetryDeadline,
	askToSignIn: () => void,
): Promise<EnsuredFolders> {
	for (;;) {
		try {
			return (await client.files.ensureFolders({ owner, path, paths })).items;
		} catch (error) {
			const { status, code } = describeFailure(error);
			if (status === 401) askToSignIn();
			else if (!isWorthRetrying({ method: 'POST', status, code }) || !deadline.hasTimeLeft()) throw error;
			await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
		}
	}
}

function folderError(code: string, message: string): FailedCall {
	return new FailedCall({ code, status: 422, message, fields: {} });
}

function keyOf(folders: readonly string[]): string {
	return JSON.stringify(folders);
}
