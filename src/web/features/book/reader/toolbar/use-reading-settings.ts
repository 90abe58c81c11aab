import { useLocalStorage } from '@mantine/hooks';
import type { Zoom } from '#web/ui/pdf/viewer/page-size.ts';
import type { PageFlow } from '#web/ui/pdf/viewer/pdf-viewer.tsx';

const tones = ['day', 'sepia', 'night'] as const;

/** The settings are stored in this browser. The tone of pages is independent of the theme. */
export function useReadingSettings() {
	const [tone, setTone] = useStoredSetting<string>('page-tone', 'day');
	const [flow, setFlow] = useStoredSetting<string>('page-flow', 'single');
	const [zoom, setZoom] = useStoredSetting<unknown>('page-zoom', isPhoneWidth() ? 'text' : 1);
	const isZoom = zoom === 'page' || zoom === 'text' || (typeof zoom === 'number' && zoom >= 0.5 && zoom <= 3);
	const shownFlow: PageFlow = flow === 'continuous' ? flow : 'single';
	const shownZoom: Zoom = isZoom ? zoom : 1;
	const shownTone = tones.find((knownTone) => knownTone === tone) ?? 'day';
	return { tone: shownTone, setTone, flow: shownFlow, setFlow, zoom: shownZoom, setZoom };
}

export type ReadingSettings = ReturnType<typeof useReadingSettings>;

/** On phones, a page is by default as wide as its text without the margins. */
function isPhoneWidth(): boolean {
	return window.matchMedia('(max-width: 599px)').matches;
}

function useStoredSetting<T>(key: string, defaultValue: T) {
	return useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false });
}
