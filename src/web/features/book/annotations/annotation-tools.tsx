import { type RefObject, useRef } from 'react';
import { m } from '#messages';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { copyText } from '#web/ui/primitives/copy-button.tsx';
import { AnnotationCard } from './annotation-card.tsx';
import { SelectionToolbar } from './selection-toolbar.tsx';
import type { AnnotationActions } from './use-annotation-actions.ts';
import { useKeyboardSelection } from './use-keyboard-selection.ts';
import { useTextSelection } from './use-text-selection.ts';

interface AnnotationToolsProps {
	box: RefObject<HTMLElement | null>;
	page: number;
	annotationActions: AnnotationActions;
}

export function AnnotationTools({ box, page, annotationActions: actions }: AnnotationToolsProps) {
	const { selected, read, clear: clearSelection } = useTextSelection(box);
	const tools = useRef<HTMLDivElement>(null);
	useKeyboardSelection({ box, page, onOpenToolbar: () => tools.current?.querySelector('button')?.focus() });
	/** Closes the toolbar, and returns the focus to the page for keyboard users. */
	const clear = () => {
		if (tools.current?.contains(document.activeElement) === true) box.current?.focus({ preventScroll: true });
		clearSelection();
	};
	const { opened } = actions;
	if (opened !== null) {
		return (
			<AnnotationCard
				key={opened.id}
				annotation={opened}
				onSave={actions.save}
				onDelete={() => actions.remove(opened.id)}
				onClose={actions.close}
			/>
		);
	}
	if (selected === null) return null;
	return (
		<SelectionToolbar
			toolbarRef={tools}
			selected={selected}
			onEscape={clear}
			onHighlight={(color) => {
				actions.highlight(read() ?? selected, color);
				clear();
			}}
			onNote={() => {
				const text = read() ?? selected;
				clear();
				actions.open({ id: actions.highlight(text, 'yellow') });
			}}
			onCopy={() => {
				void copyText((read() ?? selected).quote).then((isCopied) =>
					isCopied ? toastSuccess(m.reader_text_copied()) : toastError(m.reader_text_copy_failed()),
				);
				clear();
			}}
		/>
	);
}
