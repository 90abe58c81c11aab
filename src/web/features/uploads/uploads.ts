import { useEffect, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { createUploadStore } from './upload-store.ts';
import { isAnyUnfinished, type UploadTask } from './upload-task.ts';
import { openTusTransport } from './upload-transport.ts';

/** The page's uploads: started on one screen, they go on whatever screen follows. */
export const uploads = createUploadStore({
	openTransport: openTusTransport,
	describeFailure: describeUploadFailure,
	now: () => performance.now(),
	atOnce: 2,
});

window.addEventListener('beforeunload', (event) => {
	if (isAnyUnfinished(uploads.getTasks())) event.preventDefault();
});

/** The tasks, redrawn at every change. */
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
	return m.files_upload_failed({ name, message: message === '' ? reasonFor(status) : message });
}

function reasonFor(status: number): string {
	if (status === 0) return m.files_upload_connection_lost();
	if (status === 401) return m.error_unauthorized();
	if (status === 403) return m.error_forbidden();
	if (status === 413) return m.error_upload_too_large();
	if (status === 507) return m.error_storage_full();
	return m.error_internal();
}
