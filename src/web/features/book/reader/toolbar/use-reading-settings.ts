import { useLocalStorage } from '@mantine/hooks';
import type { Zoom } from '#web/ui/pdf/viewer/page-size.ts';
import type { PageFlow } from '#web/ui/pdf/viewer/pdf-viewer.tsx';

const tones = ['day', 'sepia', 'night'] as const;
/** Colour scheme of the page. */
type PageTone = (typeof tones)[number];

/** How this browser shows pages. Each setting is stored in the browser; the tone is independent of the theme. */
export interface ReadingSettings {
	tone: PageTone;
	setTone: (tone: PageTone) => void;
	flow: PageFlow;
	setFlow: (flow: PageFlow) => void;
	zoom: Zoom;
	setZoom: (zoom: Zoom) => void;
}

export function useReadingSettings(): ReadingSettings {
	const [tone, setTone] = useStoredSetting<string>('page-tone', 'day');
	const [flow, setFlow] = useStoredSetting<string>('page-flow', 'single');
	const [zoom, setZoom] = useStoredSetting<unknown>('page-zoom', isPhoneWidth() ? 'text' : 1);
	return {
		tone: tones.find((each) => each === tone) ?? 'day',
		setTone,
		flow: flow === 'continuous' ? flow : 'single',
		setFlow,
		zoom: zoom === 'page' || zoom === 'text' || (typeof zoom === 'number' && zoom >= 0.5 && zoom <= 3) ? zoom : 1,
		setZoom,
	};
}

/** Whether the screen is so narrow that page margins take space from the text. */
function isPhoneWidth(): boolean {
	return window.matchMedia('(max-width: 599px)').matches;
}

function useStoredSetting<T>(key: string, defaultValue: T): [T, (value: T) => void] {
	const [value, setValue] = useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false });
	return [value, setValue];
}
