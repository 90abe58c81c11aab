import { useWindowEvent } from '@mantine/hooks';

interface ReaderKeyHandlers {
	/** Called for `/` and the browser's find shortcut, whose own search does not find pages that are not rendered. */
	onSearch: () => void;
	/** Called for `b`; undefined while no page is open. */
	onBookmark: (() => void) | undefined;
	onJump: () => void;
}

/** Handles the reader's keys, wherever the focus is except in a field. */
export function useReaderKeys({ onSearch, onBookmark, onJump }: ReaderKeyHandlers): void {
	useWindowEvent('keydown', (event) => {
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
	});
}

const typingFields = 'input, textarea, select';
