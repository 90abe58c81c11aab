import { lazy, Suspense } from 'react';
import { m } from '#messages';
import { toastError, toastMs } from '#web/platform/browser/toasts.ts';
import { createSharedValue } from '#web/platform/events/emitter.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { deleteAllHandles } from './stored-file-handles.ts';
import { useUnfinishedUploads } from './unfinished-uploads.ts';
import type { UploadTarget } from './upload-task.ts';

// The uploads and their panel are a tenth of a screen's scripts, so that they are loaded when there is an upload.
const Panel = lazy(() => import('./panel/upload-panel.tsx').then(({ UploadPanel }) => ({ default: UploadPanel })));
const wereStarted = createSharedValue(false);

export async function startUploads(picked: PickedFiles, target: UploadTarget): Promise<void> {
	// The panel announces the end of each upload, so that it is loaded before the first one.
	const loading = Promise.all([import('./uploads.ts'), import('./panel/upload-panel.tsx')]);
	const [uploads] = await loading.catch(() => []);
	if (uploads === undefined) return void toastError(m.common_offline(), toastMs.files);
	wereStarted.set(true);
	uploads.startUploads(picked, target);
}

// The handles may be of another page, so that this does not wait for the uploads to be loaded.
onSessionEnd((reason) => {
	if (reason !== 'expiry') void deleteAllHandles();
});

/** Shows the panel while there are running, ended or unfinished uploads. */
export function UploadsOnDemand() {
	const hasUnfinished = useUnfinishedUploads().length > 0;
	const hasStarted = wereStarted.useValue();
	if (!hasUnfinished && !hasStarted) return null;
	return (
		<Suspense>
			<Panel />
		</Suspense>
	);
}
