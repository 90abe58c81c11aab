import { type RefObject, useCallback, useRef } from 'react';
import { m } from '#messages';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';
import { MarkCard } from './mark-card.tsx';
import { SelectionTools } from './selection-tools.tsx';
import type { OpenMark } from './use-open-mark.ts';
import { useTextSelection } from './use-text-selection.ts';
import { useWordKeys } from './use-word-keys.ts';

interface MarkToolsProps {
	/** The pages. */
	box: RefObject<HTMLElement | null>;
	/** The one that is open, from 1. */
	page: number;
	openMark: OpenMark;
}

/** Beside the page: what can be done with selected text, and the card of the mark that is open. */
export function MarkTools({ box, page, openMark }: MarkToolsProps) {
	const { selected, read, clear: letGo } = useTextSelection(box);
	const tools = useRef<HTMLDivElement>(null);
	useWordKeys({ box, page, onTools: useCallback(() => tools.current?.querySelector('button')?.focus(), []) });
	/** The tools go: whoever pressed one of them by keyboard reads on. */
	const clear = () => {
		if (tools.current?.contains(document.activeElement) === true) box.current?.focus({ preventScroll: true });
		letGo();
	};
	if (openMark.mark !== null) {
		const { mark } = openMark;
		return (
			<MarkCard
				key={mark.id}
				mark={mark}
				onSave={openMark.save}
				onRemove={() => openMark.remove(mark.id)}
				onClose={openMark.close}
			/>
		);
	}
	if (selected === null) return null;
	return (
		<SelectionTools
			toolsRef={tools}
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
				void copy((read() ?? selected).quote);
				clear();
			}}
		/>
	);
}

/** Without https there is no clipboard at all. */
async function copy(text: string): Promise<void> {
	const isCopied = await navigator.clipboard?.writeText(text).then(
		() => true,
		() => false,
	);
	if (isCopied === true) toastSuccess(m.reader_text_copied());
	else toastError(m.reader_text_copy_failed());
}
