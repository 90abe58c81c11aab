import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './side-panel.module.css';
import { usePreloadOnHover } from './use-preload-on-hover.ts';

/** The panels beside the page. */
export type SidePanelTab = 'outline' | 'search' | 'marks';

interface SidePanelProps {
	tab: SidePanelTab;
	/** The available tabs. */
	tabs: readonly SidePanelTab[];
	onTab: (part: SidePanelTab) => void;
	/** Undefined if the panel cannot be closed. */
	onClose?: (() => void) | undefined;
	/** The page of the list entry under the pointer, null for none. */
	onPreload: (page: number | null) => void;
	children: ReactNode;
}

/** The panel beside the page: outline, search or annotations. */
export function SidePanel({
	tab: part,
	tabs: parts,
	onTab: onPart,
	onClose,
	onPreload: onLikely,
	children,
}: SidePanelProps) {
	const preloadHandlers = usePreloadOnHover(onLikely);
	const labels = { outline: m.reader_outline(), search: m.reader_search_short(), marks: m.reader_annotations() };
	return (
		<aside className={classes.side} aria-label={labels[part]}>
			<div className={classes.head}>
				{parts.length > 1 && (
					<SegmentedSwitch
						label={m.reader_side_panel()}
						segments={parts.map((each) => ({ value: each, label: labels[each] }))}
						value={part}
						onChange={onPart}
					/>
				)}
				{onClose && <IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={onClose} />}
			</div>
			<div className={classes.body} {...preloadHandlers}>
				{children}
			</div>
		</aside>
	);
}
