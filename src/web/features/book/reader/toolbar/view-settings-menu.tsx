import { Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconMinus, IconPlus } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { PopoverButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { stepZoom, type Zoom } from '#web/ui/pdf/viewer/page-size.ts';
import type { PageFlow } from '#web/ui/pdf/viewer/pdf-viewer.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from '../reader.module.css';

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

export function ViewSettingsMenu(settings: ReadingSettings) {
	const [isOpen, setOpen] = useState(false);
	const { tone, setTone, flow, setFlow, zoom, setZoom } = settings;
	return (
		<PopoverButton
			isOpen={isOpen}
			onOpen={setOpen}
			position="bottom-end"
			label={m.reader_view_settings()}
			className={classes.panel}
			button={(props) => (
				<IconButton variant="default" label={m.reader_view_settings()} icon={IconAdjustmentsHorizontal} {...props} />
			)}
		>
			<SettingSwitch
				label={m.reader_tone()}
				options={{ day: m.reader_tone_day(), sepia: m.reader_tone_sepia(), night: m.reader_tone_night() }}
				value={tone}
				onChange={setTone}
			/>
			<SettingSwitch
				label={m.reader_flow()}
				options={{ single: m.reader_flow_single(), continuous: m.reader_flow_continuous() }}
				value={flow}
				onChange={setFlow}
			/>
			<SettingSwitch
				label={m.reader_fit()}
				options={{ width: m.reader_fit_width(), text: m.reader_fit_text(), page: m.reader_fit_page() }}
				value={typeof zoom === 'string' ? zoom : 'width'}
				onChange={(fit) => setZoom(fit === 'width' ? 1 : fit)}
			/>
			<SettingRow label={m.reader_zoom()}>
				<ReaderZoom zoom={zoom} onZoom={setZoom} />
			</SettingRow>
			<p className={classes.keys}>{m.reader_keys()}</p>
		</PopoverButton>
	);
}

function SettingRow({ label, children }: { label: string; children: ReactNode }) {
	return (
		<Group justify="space-between" gap={24} wrap="nowrap" fz={13} style={{ whiteSpace: 'nowrap' }}>
			<span aria-hidden="true">{label}</span>
			{children}
		</Group>
	);
}

function SettingSwitch<T extends string>({
	options,
	...props
}: Omit<ComponentProps<typeof SegmentedSwitch<T>>, 'segments'> & { options: Record<T, string> }) {
	const segments = (Object.keys(options) as T[]).map((value) => ({ value, label: options[value] }));
	return (
		<SettingRow label={props.label}>
			<SegmentedSwitch tone="accent" {...props} segments={segments} />
		</SettingRow>
	);
}

export function ReaderZoom({ zoom, onZoom }: { zoom: Zoom; onZoom: (zoom: Zoom) => void }) {
	const percent = typeof zoom === 'number' ? Math.round(zoom * 100) : null;
	const fit = zoom === 'page' ? m.reader_fit_page() : m.reader_fit_text();
	return (
		<Group
			gap={0}
			wrap="nowrap"
			bd="1px solid var(--line)"
			bdrs="var(--radius-1)"
			bg="var(--surface)"
			role="group"
			aria-label={m.reader_zoom()}
		>
			<IconButton label={m.reader_zoom_out()} icon={IconMinus} onClick={() => onZoom(stepZoom(zoom, -1))} />
			<button
				type="button"
				className={classes.percent}
				aria-label={percent === null ? m.reader_zoom_usual({ fit }) : m.reader_zoom_reset({ percent })}
				onClick={() => onZoom(1)}
			>
				{percent === null ? fit : m.reader_percent({ percent })}
			</button>
			<IconButton label={m.reader_zoom_in()} icon={IconPlus} onClick={() => onZoom(stepZoom(zoom, 1))} />
		</Group>
	);
}
