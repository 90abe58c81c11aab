import { useSyncExternalStore } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { UnfinishedUpload, UploadConflict } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure, messageForStatus } from '#web/platform/api/failure.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { toastError, toastLimit, toastMs } from '#web/platform/browser/toasts.ts';
import {
	onReauthenticated,
	preserveScreenWhile,
	reportReauthenticated,
} from '#web/platform/session/reauthentication.ts';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';
import { endSession, onSessionEnd } from '#web/platform/session/session-end.ts';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { deleteAllHandles } from './stored-file-handles.ts';
import { createRetryDeadline } from './transfer-policy.ts';
import { findResumableUploadId } from './unfinished-uploads.ts';
import { sendBatch } from './upload-batch.ts';
import { ensureFolderTree } from './upload-folders.ts';
import { createUploadStore } from './upload-store.ts';
import { hasUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import { createTusTransport, unreadableFileCode } from './upload-transport.ts';

const notifyIntervalMs = 400;
let retryMs = limits.retryMinutesDefault * 60_000;

/** The uploads of this page. They continue when the screen changes. */
export const uploads = createUploadStore({
	createTransport: createTusTransport(() => retryMs),
	describeFailure: describeUploadFailure,
	now: () => performance.now(),
	concurrency: 4,
	sendBatch,
	batchedMaxBytes: limits.uploadFirstChunkBytes,
	schedule: (notify) => setTimeout(notify, notifyIntervalMs),
	onSignedOut: () => endSession('expiry'),
});

export function startUploads({ files, emptyFolders }: PickedFiles, target: UploadTarget): void {
	void refreshRetryTime();
	const folderPaths = [...files.map(({ folders }) => folders), ...emptyFolders];
	const deadline = createRetryDeadline(() => retryMs);
	const findFolder = ensureFolderTree(target, folderPaths, deadline, () => endSession('expiry'));
	for (const folders of emptyFolders) {
		findFolder(folders).catch((error: unknown) => {
			const { message, status } = describeFailure(error);
			const reason = message || messageForStatus(status);
			toastError(m.files_upload_failed({ name: folders.at(-1) ?? '', message: reason }), toastMs.files);
		});
	}
	const items = files.map(({ file, folders, findHandle }) => ({
		file,
		...(findHandle !== undefined && { findHandle }),
		findDestination: async (conflict: UploadConflict) => {
			const path = await findFolder(folders);
			const resumeId = await findResumableUploadId(file, target.owner, path, conflict, isUploading);
			return { path, ...(resumeId !== undefined && { resumeId }) };
		},
	}));
	uploads.add(items, target);
}

export function resumeUpload({ id, owner, path }: UnfinishedUpload, file: File): void {
	void refreshRetryTime();
	uploads.add([{ file, findDestination: async () => ({ path, resumeId: id }) }], { owner, path });
}

function isUploading(uploadId: string): boolean {
	return uploads.getTasks().some((task) => task.uploadId === uploadId && task.state !== 'canceled');
}

async function refreshRetryTime(): Promise<void> {
	const settings = await queryClient.fetchQuery(api.spaces.getSettings.queryOptions()).catch(() => undefined);
	if (settings) retryMs = settings.retryMinutes * 60_000;
}

window.addEventListener('beforeunload', (event) => {
	if (hasUnfinished(uploads.getTasks())) event.preventDefault();
});

// If the session expires while uploads are unfinished, the screen stays and a dialog asks the user to sign in.
preserveScreenWhile(() => hasUnfinished(uploads.getTasks()));

// Uploads stop when the session ends. If the session only expired, they continue after a sign-in.
onSessionEnd((reason) => {
	if (reason !== 'expiry') stopAndForgetAll();
});

onReauthenticated(() => uploads.resumeAfterSignIn());

let userId: string | undefined;
let wasActive = false;
/** Messages about skipped files of the current batch. */
let skipped: string[] = [];

queryClient.getQueryCache().subscribe(({ query }) => {
	if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
	handleSessionChange(query.state.data as Session | undefined);
});
handleSessionChange(queryClient.getQueryData<Session>(sessionQuery.queryKey));

function handleSessionChange(session: Session | undefined): void {
	const isActive = session?.state === 'active';
	if (isActive && userId !== undefined && userId !== session.me.id) stopAndForgetAll();
	// The user may have signed in on /login instead of in the dialog.
	if (isActive && !wasActive && userId === session.me.id) reportReauthenticated();
	wasActive = isActive;
	if (isActive) userId = session.me.id;
}

function stopAndForgetAll(): void {
	// The next user must not see messages about skipped files of this user.
	skipped = [];
	uploads.stopAll();
	void deleteAllHandles();
}

/** Renders again at most every 400 ms. */
export function useUploads(): readonly UploadTask[] {
	return useSyncExternalStore(uploads.subscribe, uploads.getTasks);
}

/** Section 5 of the specification has a separate message for a taken name. */
function describeUploadFailure(
	name: string,
	{ status, code }: { status: number; code: string },
	message: string,
): string {
	if (code === 'FILE_EXISTS') return m.error_file_exists({ name });
	if (code === unreadableFileCode) return m.files_upload_failed({ name, message: m.files_upload_unreadable() });
	const reason = status === 0 ? m.files_upload_connection_lost() : message || messageForStatus(status);
	return m.files_upload_failed({ name, message: reason });
}

// Shows up to 20 messages about skipped files in a batch. The last message contains the number of further files.
uploads.onEnded(({ isSkipped, error }) => {
	if (!isSkipped) return;
	skipped.push(error ?? '');
	if (skipped.length < toastLimit) toastError(error, toastMs.files);
});
uploads.subscribe(() => {
	if (skipped.length === 0 || hasUnfinished(uploads.getTasks())) return;
	const remaining = skipped.slice(toastLimit - 1);
	skipped = [];
	const [first] = remaining;
	if (first === undefined) return;
	toastError(remaining.length === 1 ? first : m.uploads_more_skipped({ count: remaining.length }), toastMs.files);
});
