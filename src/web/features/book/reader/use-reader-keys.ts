import { useWindowEvent } from '@mantine/hooks';
import { hasOwnKeyboardHandling } from '#web/ui/pdf/viewer/use-page-navigation.ts';

interface ReaderKeyHandlers {
	/** Called for `/` and for the browser's find shortcut, because the browser finds only text on rendered pages. */
	onSearch: () => void;
	/** Called for `b`; undefined while no page is open. */
	onBookmark: (() => void) | undefined;
	onJump: () => void;
}

export function useReaderKeys({ onSearch, onBookmark, onJump }: ReaderKeyHandlers): void {
	useWindowEvent('keydown', (event) => {
		const isWithControl = event.ctrlKey || event.metaKey;
		if (event.altKey || event.repeat) return;
		const isFind = isWithControl && event.key.toLowerCase() === 'f';
		const isPlain = !isWithControl && !hasOwnKeyboardHandling(event.target);
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
