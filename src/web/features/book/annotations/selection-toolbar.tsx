import { Flex } from '@mantine/core';
import { IconCopy, IconNote } from '@tabler/icons-react';
import type { CSSProperties, RefObject } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { m } from '#messages';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './annotations.module.css';
import { HighlightColors } from './highlight-colors.tsx';
import type { SelectedText } from './use-text-selection.ts';

interface SelectionToolbarProps {
	selected: SelectedText;
	toolbarRef: RefObject<HTMLDivElement | null>;
	onEscape: () => void;
	onHighlight: (color: Annotation['color']) => void;
	onNote: () => void;
	onCopy: () => void;
}

export function SelectionToolbar(props: SelectionToolbarProps) {
	const { selected, toolbarRef, onEscape, onHighlight, onNote, onCopy } = props;
	return (
		<Flex
			align="center"
			gap={4}
			ref={toolbarRef}
			className={classes.tools}
			role="toolbar"
			tabIndex={-1}
			aria-label={m.reader_selection()}
			style={positionBeside(selected.rect)}
			onKeyDown={(event) => {
				if (event.key === 'Escape') onEscape();
			}}
		>
			<HighlightColors value={null} onChange={onHighlight} />
			<IconButton label={m.reader_note()} icon={IconNote} onClick={onNote} />
			<IconButton label={m.reader_text_copy()} icon={IconCopy} onClick={onCopy} />
		</Flex>
	);
}

const toolbarSizePx = { width: 320, height: 60 };
const gapPx = 10;

/** Positions the toolbar above a rectangle of the window if there is space, else below the rectangle. */
function positionBeside({ left, top, width, bottom }: DOMRect): CSSProperties {
	const edgePx = toolbarSizePx.width / 2 + gapPx;
	const isAbove = top > toolbarSizePx.height + gapPx * 2;
	return {
		left: Math.min(Math.max(left + width / 2, edgePx), window.innerWidth - edgePx),
		top: isAbove ? top - gapPx : Math.min(bottom + gapPx, window.innerHeight - toolbarSizePx.height),
		transform: `translate(-50%, ${isAbove ? '-100%' : '0'})`,
	};
}
