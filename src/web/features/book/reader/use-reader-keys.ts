import { useEffect } from 'react';

interface ReaderKeyHandlers {
	/** `/` and the browser's own key for searching: its own search does not know the pages that are not drawn. */
	onSearch: () => void;
	/** `b`; undefined while there is no page. */
	onBookmark: (() => void) | undefined;
	/** `g`. */
	onJump: () => void;
}

/** The reader's own keys, wherever the focus is, but in no field. */
export function useReaderKeys({ onSearch, onBookmark, onJump }: ReaderKeyHandlers): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const isWithControl = event.ctrlKey || event.metaKey;
			if (event.altKey || event.repeat) return;
			const isFind = isWithControl && event.key.toLowerCase() === 'f';
			const isPlain = !isWithControl && !(event.target instanceof Element && event.target.matches(typingFields));
			if (isFind || (isPlain && event.key === '/')) {
				event.preventDefault();
				onSearch();
			}
			if (isPlain && event.key === 'b') onBookmark?.();
			if (isPlain && event.key === 'g') {
				event.preventDefault();
				onJump();
			}
		};
		window.addEventListener('keydown', onKey);
		return () => window.removeEventListener('keydown', onKey);
	}, [onSearch, onBookmark, onJump]);
}

const typingFields = 'input, textarea, select';
