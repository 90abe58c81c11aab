import { type RefObject, useCallback, useRef } from 'react';
import { m } from '#messages';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { AnnotationCard } from './annotation-card.tsx';
import { SelectionToolbar } from './selection-toolbar.tsx';
import type { AnnotationActions } from './use-annotation-actions.ts';
import { useKeyboardSelection } from './use-keyboard-selection.ts';
import { useTextSelection } from './use-text-selection.ts';

interface AnnotationToolsProps {
	/** The element that contains the pages. */
	box: RefObject<HTMLElement | null>;
	/** The open page, from 1. */
	page: number;
	annotationActions: AnnotationActions;
}

/** The toolbar for selected text, and the card of the open annotation. */
export function AnnotationTools({ box, page, annotationActions: openMark }: AnnotationToolsProps) {
	const { selected, read, clear: letGo } = useTextSelection(box);
	const tools = useRef<HTMLDivElement>(null);
	useKeyboardSelection({
		box,
		page,
		onOpenToolbar: useCallback(() => tools.current?.querySelector('button')?.focus(), []),
	});
	/** Closes the tools, and returns the focus to the page for keyboard users. */
	const clear = () => {
		if (tools.current?.contains(document.activeElement) === true) box.current?.focus({ preventScroll: true });
		letGo();
	};
	if (openMark.mark !== null) {
		const { mark } = openMark;
		return (
			<AnnotationCard
				key={mark.id}
				annotation={mark}
				onSave={openMark.save}
				onDelete={() => openMark.remove(mark.id)}
				onClose={openMark.close}
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
				openMark.highlight(read() ?? selected, color);
				clear();
			}}
			onNote={() => {
				const text = read() ?? selected;
				clear();
				openMark.open({ id: openMark.highlight(text, 'yellow') });
			}}
			onCopy={() => {
				void copyText((read() ?? selected).quote);
				clear();
			}}
		/>
	);
}

/** Copies text to the clipboard; without https there is no clipboard API. */
async function copyText(text: string): Promise<void> {
	const isCopied = await navigator.clipboard?.writeText(text).then(
		() => true,
		() => false,
	);
	if (isCopied === true) toastSuccess(m.reader_text_copied());
	else toastError(m.reader_text_copy_failed());
}
