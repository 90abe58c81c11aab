import { useEffect, useSyncExternalStore } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { UnfinishedUpload, UploadConflict } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { describeFailure, wordsForStatus } from '#web/platform/failure.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { endSession, onSessionEnd } from '#web/platform/session-end.ts';
import { holdScreenWhile, onSignedInAgain, reportSignedInAgain } from '#web/platform/sign-in-again.ts';
import { toastError, toastMs } from '#web/platform/toasts.ts';
import { forgetHandles } from './file-handles.ts';
import { findBegun } from './unfinished.ts';
import { planFolders } from './upload-folders.ts';
import { createPatience } from './upload-retry.ts';
import { createUploadStore } from './upload-store.ts';
import { isAnyUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import { createTusTransport, unreadable } from './upload-transport.ts';

const toldEveryMs = 100;
let retryMs = limits.retryMinutesDefault * 60_000;

/** The page's uploads: started on one screen, they go on whatever screen follows. */
export const uploads = createUploadStore({
	openTransport: createTusTransport(() => retryMs),
	describeFailure: describeUploadFailure,
	now: () => performance.now(),
	atOnce: 4,
	soon: (tell) => setTimeout(tell, toldEveryMs),
	onSignedOut: () => endSession('expiry'),
});

/** Files as they were chosen, dropped or pasted: each with the names of its folders, and folders without any file. */
export interface PickedFiles {
	files: ReadonlyArray<{
		file: File;
		folders: readonly string[];
		/** The way back to the file after a closed tab. */
		findHandle?: (() => Promise<FileSystemFileHandle | null>) | undefined;
	}>;
	emptyFolders: ReadonlyArray<readonly string[]>;
}

/** Sends files on their way; folders are made before what lies in them. */
export function sendPicked({ files, emptyFolders }: PickedFiles, target: UploadTarget): void {
	void learnRetryTime();
	const lists = [...files.map(({ folders }) => folders), ...emptyFolders];
	const patience = createPatience(
		() => retryMs,
		() => performance.now(),
	);
	const findFolder = planFolders(target, lists, patience, () => endSession('expiry'));
	for (const folders of emptyFolders) {
		findFolder(folders).catch((error: unknown) => {
			const { message, status } = describeFailure(error);
			const reason = message === '' ? wordsForStatus(status) : message;
			toastError(m.files_upload_failed({ name: folders.at(-1) ?? '', message: reason }), toastMs.files);
		});
	}
	const items = files.map(({ file, folders, findHandle }) => ({
		file,
		...(findHandle !== undefined && { findHandle }),
		findPlace: async (conflict: UploadConflict) => {
			const path = await findFolder(folders);
			const begunId = await findBegun(file, target.owner, path, conflict, isInHand);
			return { path, ...(begunId !== undefined && { begunId }) };
		},
	}));
	uploads.add(items, target);
}

/** Goes on with an upload that was left, from what the server has. */
export function goOnWith({ id, owner, path }: UnfinishedUpload, file: File): void {
	void learnRetryTime();
	uploads.add([{ file, findPlace: async () => ({ path, begunId: id }) }], { owner, path });
}

/** Whether a task of this page has this upload. */
function isInHand(uploadId: string): boolean {
	return uploads.getTasks().some((task) => task.uploadId === uploadId && task.state !== 'canceled');
}

async function learnRetryTime(): Promise<void> {
	const settings = await queryClient.fetchQuery(api.spaces.getSettings.queryOptions()).catch(() => undefined);
	if (settings) retryMs = settings.retryMinutes * 60_000;
}

window.addEventListener('beforeunload', (event) => {
	if (isAnyUnfinished(uploads.getTasks())) event.preventDefault();
});

// An expired session does not take the screen away under files on their way: it is asked for in its place.
holdScreenWhile(() => isAnyUnfinished(uploads.getTasks()));

// Whoever was sent away does not go on sending.
onSessionEnd((reason) => {
	if (reason !== 'expiry') forgetEverything();
});

onSignedInAgain(() => uploads.signedIn());

let personId: string | undefined;
let wasActive = false;
queryClient.getQueryCache().subscribe(({ query }) => {
	if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
	heedSession(query.state.data as Session | undefined);
});
heedSession(queryClient.getQueryData<Session>(sessionQuery.queryKey));

function heedSession(session: Session | undefined): void {
	const isActive = session?.state === 'active';
	if (isActive && personId !== undefined && personId !== session.me.id) forgetEverything();
	// The usual way over /login: what waited there goes on.
	if (isActive && !wasActive && personId === session.me.id) reportSignedInAgain();
	wasActive = isActive;
	if (isActive) personId = session.me.id;
}

function forgetEverything(): void {
	uploads.forgetAll();
	void forgetHandles();
}

/** The tasks, redrawn some times a second. */
export function useUploads(): readonly UploadTask[] {
	return useSyncExternalStore(uploads.subscribe, uploads.getTasks);
}

/** Calls back for each file that has arrived whole while the component stands. */
export function useUploadFinished(listener: (task: UploadTask) => void): void {
	useEffect(() => uploads.onFinished(listener), [listener]);
}

/** Calls back for each file that was left out because its name is taken. */
export function useUploadSkipped(listener: (task: UploadTask) => void): void {
	useEffect(() => uploads.onSkipped(listener), [listener]);
}

/** The specification's sentence for a failed upload; a taken name has its own (section 5). */
function describeUploadFailure(
	name: string,
	{ status, code }: { status: number; code: string },
	message: string,
): string {
	if (code === 'FILE_EXISTS') return m.error_file_exists({ name });
	if (code === unreadable) return m.files_upload_failed({ name, message: m.files_upload_unreadable() });
	const reason = status === 0 ? m.files_upload_connection_lost() : message === '' ? wordsForStatus(status) : message;
	return m.files_upload_failed({ name, message: reason });
}
