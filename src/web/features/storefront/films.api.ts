import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FilmKey, type FilmPart, filmPartPath } from '#contract/storefront/film-parts.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api.ts';
import { failedCall } from '#web/platform/failure.ts';
import { toastSuccess } from '#web/platform/toasts.ts';

export type Films = CallOutputs['filmSettings']['get'];

/** The landing page's films as they stand now; asked for anew at each visit. */
export function useFilms() {
	return useQuery(api.filmSettings.get.queryOptions({ staleTime: 0 }));
}

interface ChosenFile {
	film: FilmKey;
	part: FilmPart;
	/** Of the settings that the owner sees. */
	version: number;
	file: File;
}

async function uploadPart({ film, part, version, file }: ChosenFile): Promise<void> {
	const body = new FormData();
	body.append('file', file);
	const headers = { Accept: 'application/json' };
	const response = await fetch(`${filmPartPath(film, part)}?version=${version}`, { method: 'POST', body, headers });
	if (!response.ok) throw await failedCall(response);
}

/** Each change is live at once; whatever became of it, the settings are asked for again. Refusals stand beside the fields. */
export function useFilmChanges() {
	const queryClient = useQueryClient();
	const onSettled = () => queryClient.invalidateQueries({ queryKey: api.filmSettings.key() });
	const saved = { onSuccess: () => toastSuccess(m.films_saved()), onSettled };
	return {
		upload: useMutation({ mutationFn: uploadPart, ...saved }),
		saveTitle: useMutation(api.filmSettings.saveTitle.mutationOptions(saved)),
		remove: useMutation(
			api.filmSettings.remove.mutationOptions({ onSuccess: () => toastSuccess(m.films_back_done()), onSettled }),
		),
	};
}
