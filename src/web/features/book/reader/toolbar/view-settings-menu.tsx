import { Group, Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { m } from '#messages';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from '../reader.module.css';
import { ReaderZoom } from './reader-zoom.tsx';
import type { ReadingSettings } from './use-reading-settings.ts';

export function ViewSettingsMenu(settings: ReadingSettings) {
	const [isOpen, setOpen] = useState(false);
	const { tone, setTone, flow, setFlow, zoom, setZoom } = settings;
	return (
		<Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal={false}>
			<Popover.Target>
				<IconButton
					variant="default"
					label={m.reader_view_settings()}
					icon={<IconAdjustmentsHorizontal {...iconProps} />}
					onClick={() => setOpen(!isOpen)}
				/>
			</Popover.Target>
			<Popover.Dropdown className={classes.panel ?? ''} aria-label={m.reader_view_settings()}>
				<SettingSwitch
					label={m.reader_tone()}
					segments={[
						{ value: 'day', label: m.reader_tone_day() },
						{ value: 'sepia', label: m.reader_tone_sepia() },
						{ value: 'night', label: m.reader_tone_night() },
					]}
					value={tone}
					onChange={setTone}
				/>
				<SettingSwitch
					label={m.reader_flow()}
					segments={[
						{ value: 'single', label: m.reader_flow_single() },
						{ value: 'continuous', label: m.reader_flow_continuous() },
					]}
					value={flow}
					onChange={setFlow}
				/>
				<SettingSwitch
					label={m.reader_fit()}
					segments={[
						{ value: 'width', label: m.reader_fit_width() },
						{ value: 'text', label: m.reader_fit_text() },
						{ value: 'page', label: m.reader_fit_page() },
					]}
					value={typeof zoom === 'string' ? zoom : 'width'}
					onChange={(fit) => setZoom(fit === 'width' ? 1 : fit)}
				/>
				<Group justify="space-between" gap={24} wrap="nowrap" className={classes.choice}>
					<span aria-hidden="true">{m.reader_zoom()}</span>
					<ReaderZoom zoom={zoom} onZoom={setZoom} />
				</Group>
				<p className={classes.keys}>{m.reader_keys()}</p>
			</Popover.Dropdown>
		</Popover>
	);
}

function SettingSwitch<T extends string>(props: Omit<ComponentProps<typeof SegmentedSwitch<T>>, 'tone'>) {
	return (
		<Group justify="space-between" gap={24} wrap="nowrap" className={classes.choice}>
			<span aria-hidden="true">{props.label}</span>
			<SegmentedSwitch tone="accent" {...props} />
		</Group>
	);
}
