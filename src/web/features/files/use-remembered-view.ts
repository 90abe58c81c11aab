import { useCallback, useState } from 'react';
import { useMe } from '#web/platform/session.ts';
import { defaultPlace, type FileView } from './file-place.ts';

/** List or grid, as this person chose last in this browser: for addresses that do not say it. */
export function useRememberedView(): [FileView, (view: FileView) => void] {
	const key = `folio.view.${useMe().id}`;
	const [view, setView] = useState(() => recall(key));
	const remember = useCallback(
		(next: FileView) => {
			setView(next);
			try {
				window.localStorage.setItem(key, next);
			} catch {
				// A browser that keeps nothing shows the list.
			}
		},
		[key],
	);
	return [view, remember];
}

function recall(key: string): FileView {
	try {
		return window.localStorage.getItem(key) === 'grid' ? 'grid' : defaultPlace.view;
	} catch {
		return defaultPlace.view;
	}
}
