import { IconCopy, IconNote } from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MarkColors } from './mark-colors.tsx';
import { besideRect } from './mark-place.ts';
import classes from './marks.module.css';
import type { SelectedText } from './use-text-selection.ts';

interface SelectionToolsProps {
	selected: SelectedText;
	toolsRef: RefObject<HTMLDivElement | null>;
	onEscape: () => void;
	onHighlight: (color: ReadingMark['color']) => void;
	onNote: () => void;
	onCopy: () => void;
}

/** Beside selected text: mark it, say something to it, copy it. */
export function SelectionTools({ selected, toolsRef, onEscape, onHighlight, onNote, onCopy }: SelectionToolsProps) {
	return (
		<div
			ref={toolsRef}
			className={classes.tools}
			role="toolbar"
			tabIndex={-1}
			aria-label={m.reader_selection()}
			style={besideRect(selected.rect)}
			onKeyDown={(event) => {
				if (event.key === 'Escape') onEscape();
			}}
		>
			<MarkColors value={null} onChange={onHighlight} />
			<IconButton label={m.reader_note()} icon={<IconNote {...iconProps} />} onClick={onNote} />
			<IconButton label={m.reader_text_copy()} icon={<IconCopy {...iconProps} />} onClick={onCopy} />
		</div>
	);
}
