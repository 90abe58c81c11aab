import { useState } from 'react';
import { createSharedValue } from '#web/platform/events/emitter.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { componentOnDemand, importScripts } from '#web/ui/overlays/overlays-on-demand.tsx';
import { toastLoadFailure } from '#web/ui/overlays/toasts-with-button.tsx';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { deleteAllHandles } from './stored-file-handles.ts';
import { useUnfinishedUploads } from './unfinished-uploads.ts';
import type { UploadTarget } from './upload-task.ts';

// The uploads and their panel are a tenth of a screen's scripts. Therefore they are loaded for the first upload.
const UploadPanel = componentOnDemand(() => import('./panel/upload-panel.tsx'), 'UploadPanel');
const hasStartedUploads = createSharedValue(false);

export async function startUploads(picked: PickedFiles, target: UploadTarget): Promise<void> {
	// The panel is loaded before the first upload starts, because it announces the end of each upload.
	const loading = importScripts(() => Promise.all([import('./uploads.ts'), import('./panel/upload-panel.tsx')]));
	const [uploads] = await loading.catch(() => []);
	if (uploads === undefined) return void toastLoadFailure();
	hasStartedUploads.set(true);
	uploads.startUploads(picked, target);
}

// Handles may be stored by another page, so they are deleted even if the uploads were not loaded here.
onSessionEnd((reason) => {
	if (reason !== 'expiry') void deleteAllHandles();
});

/** Shows the panel while there are running, ended or unfinished uploads. */
export function UploadsOnDemand() {
	const hasUnfinished = useUnfinishedUploads().length > 0;
	const hasStarted = hasStartedUploads.useValue();
	// Once shown, the panel stays: when the last unfinished upload was resumed and has ended, the panel reports it.
	const [isShown, setShown] = useState(false);
	if (!isShown && (hasUnfinished || hasStarted)) setShown(true);
	return isShown && <UploadPanel />;
}
