import { Group, Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
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
					icon={IconAdjustmentsHorizontal}
					onClick={() => setOpen(!isOpen)}
				/>
			</Popover.Target>
			<Popover.Dropdown className={classes.panel ?? ''} aria-label={m.reader_view_settings()}>
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
				<Group justify="space-between" gap={24} wrap="nowrap" className={classes.choice}>
					<span aria-hidden="true">{m.reader_zoom()}</span>
					<ReaderZoom zoom={zoom} onZoom={setZoom} />
				</Group>
				<p className={classes.keys}>{m.reader_keys()}</p>
			</Popover.Dropdown>
		</Popover>
	);
}

interface SettingSwitchProps<T extends string> {
	label: string;
	options: Record<T, string>;
	value: T;
	onChange: (value: T) => void;
}

function SettingSwitch<T extends string>({ options, ...props }: SettingSwitchProps<T>) {
	const values = Object.keys(options) as T[];
	return (
		<Group justify="space-between" gap={24} wrap="nowrap" className={classes.choice}>
			<span aria-hidden="true">{props.label}</span>
			<SegmentedSwitch tone="accent" {...props} segments={values.map((value) => ({ value, label: options[value] }))} />
		</Group>
	);
}
