import { useLocalStorage } from '@mantine/hooks';

/** Day or night page: chosen apart from the theme, kept in this browser. */
export function usePageTone(): ['day' | 'night', (tone: 'day' | 'night') => void] {
	const [tone, setTone] = useLocalStorage<'day' | 'night'>({
		key: 'page-tone',
		defaultValue: 'day',
		getInitialValueInEffect: false,
	});
	return [tone === 'night' ? 'night' : 'day', setTone];
}
