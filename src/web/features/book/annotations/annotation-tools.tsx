import { Flex } from '@mantine/core';
import { IconCopy, IconNote } from '@tabler/icons-react';
import { type CSSProperties, type RefObject, useRef } from 'react';
import { m } from '#messages';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { copyText } from '#web/ui/primitives/copy-button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { AnnotationCard } from './annotation-card.tsx';
import classes from './annotations.module.css';
import { HighlightColors } from './highlight-colors.tsx';
import type { AnnotationActions } from './use-annotation-actions.ts';
import { useKeyboardSelection } from './use-keyboard-selection.ts';
import { useTextSelection } from './use-text-selection.ts';

interface AnnotationToolsProps {
	box: RefObject<HTMLElement | null>;
	page: number;
	annotationActions: AnnotationActions;
}

/** Shows a toolbar beside selected text, or the card of the opened annotation. */
export function AnnotationTools({ box, page, annotationActions: actions }: AnnotationToolsProps) {
	const { selected, read, clear: clearSelection } = useTextSelection(box);
	const tools = useRef<HTMLDivElement>(null);
	useKeyboardSelection({ box, page, onOpenToolbar: () => tools.current?.querySelector('button')?.focus() });
	/** Closes the toolbar. If the toolbar has the focus, the focus moves to the page. */
	const clear = () => {
		if (tools.current?.contains(document.activeElement) === true) box.current?.focus({ preventScroll: true });
		clearSelection();
	};
	const { opened } = actions;
	if (opened !== null) return <AnnotationCard key={opened.id} annotation={opened} actions={actions} />;
	if (selected === null) return null;
	const copy = async () => {
		const isCopied = copyText((read() ?? selected).quote);
		clear();
		if (await isCopied) toastSuccess(m.reader_text_copied());
		else toastError(m.reader_text_copy_failed());
	};
	const addNote = () => {
		const text = read() ?? selected;
		clear();
		actions.open({ id: actions.highlight(text, 'yellow') });
	};
	return (
		<Flex
			align="center"
			gap={4}
			ref={tools}
			className={classes.tools}
			role="toolbar"
			tabIndex={-1}
			aria-label={m.reader_selection()}
			style={positionBeside(selected.rect)}
			onKeyDown={(event) => {
				if (event.key === 'Escape') clear();
			}}
		>
			<HighlightColors
				value={null}
				onChange={(color) => {
					actions.highlight(read() ?? selected, color);
					clear();
				}}
			/>
			<IconButton label={m.reader_note()} icon={IconNote} onClick={addNote} />
			<IconButton label={m.reader_text_copy()} icon={IconCopy} onClick={() => void copy()} />
		</Flex>
	);
}

const toolbarSizePx = { width: 320, height: 60 };
const gapPx = 10;

/** Positions the toolbar above the selected text, or below the text if there is too little space above. */
function positionBeside({ left, top, width, bottom }: DOMRect): CSSProperties {
	const edgePx = toolbarSizePx.width / 2 + gapPx;
	const isAbove = top > toolbarSizePx.height + gapPx * 2;
	return {
		left: Math.min(Math.max(left + width / 2, edgePx), window.innerWidth - edgePx),
		top: isAbove ? top - gapPx : Math.min(bottom + gapPx, window.innerHeight - toolbarSizePx.height),
		transform: `translate(-50%, ${isAbove ? '-100%' : '0'})`,
	};
}
