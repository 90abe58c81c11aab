import type { RefObject } from 'react';
import { m } from '#messages';
import { toastError, toastSuccess } from '#web/platform/toasts.ts';
import { MarkCard } from './mark-card.tsx';
import { SelectionTools } from './selection-tools.tsx';
import type { OpenMark } from './use-open-mark.ts';
import { useTextSelection } from './use-text-selection.ts';

/** Beside the page: what can be done with selected text, and the card of the mark that is open. */
export function MarkTools({ box, openMark }: { box: RefObject<HTMLElement | null>; openMark: OpenMark }) {
	const [selected, clear] = useTextSelection(box);
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
			selected={selected}
			onHighlight={(color) => {
				openMark.highlight(selected, color);
				clear();
			}}
			onNote={() => {
				openMark.open({ id: openMark.highlight(selected, 'yellow') });
				clear();
			}}
			onCopy={() => {
				void copy(selected.quote);
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
