import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type VideoKey, type VideoPart, videoPartPath } from '#contract/storefront/video-parts.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { readFailedCall } from '#web/platform/api/failure.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';

export type VideoSettings = CallOutputs['filmSettings']['get'];

/** The current videos of the landing page; refetched at each visit. */
export function useVideoSettings() {
	return useQuery(api.filmSettings.get.queryOptions({ staleTime: 0 }));
}

interface VideoPartUpload {
	video: VideoKey;
	part: VideoPart;
	/** Of the settings that the owner sees. */
	version: number;
	file: File;
}

async function uploadVideoPart({ video, part, version, file }: VideoPartUpload): Promise<void> {
	const body = new FormData();
	body.append('file', file);
	const headers = { Accept: 'application/json' };
	const response = await fetch(`${videoPartPath(video, part)}?version=${version}`, { method: 'POST', body, headers });
	if (!response.ok) throw await readFailedCall(response);
}

/** Each change is live at once; settings are refetched after it. Errors are shown beside the fields. */
export function useVideoMutations() {
	const queryClient = useQueryClient();
	const onSettled = () => queryClient.invalidateQueries({ queryKey: api.filmSettings.key() });
	const saved = { onSuccess: () => toastSuccess(m.videos_saved()), onSettled };
	return {
		upload: useMutation({ mutationFn: uploadVideoPart, ...saved }),
		saveTitle: useMutation(api.filmSettings.saveTitle.mutationOptions(saved)),
		remove: useMutation(
			api.filmSettings.remove.mutationOptions({ onSuccess: () => toastSuccess(m.videos_reset_done()), onSettled }),
		),
	};
}
