import { Group, Textarea } from '@mantine/core';
import { IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { useReturnFocus } from '#web/ui/hooks/focus.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './annotations.module.css';
import { HighlightColors } from './highlight-colors.tsx';
import type { AnnotationActions } from './use-annotation-actions.ts';

/** Closing the card saves the typed note. */
export function AnnotationCard({ annotation, actions }: { annotation: Annotation; actions: AnnotationActions }) {
	const { save, close } = actions;
	const [note, setNote] = useState(annotation.note);
	const field = useRef<HTMLTextAreaElement>(null);
	useReturnFocus();
	useEffect(() => field.current?.focus(), []);
	const saveAndClose = () => {
		if (note.trim() !== annotation.note) save({ ...annotation, note });
		close();
	};
	const isBookmark = annotation.kind === 'bookmark';
	return (
		<section
			className={classes.card}
			role="dialog"
			aria-label={isBookmark ? m.reader_bookmark() : m.reader_highlight()}
			onKeyDown={(event) => {
				if (event.key === 'Escape') saveAndClose();
			}}
		>
			<Group justify="space-between" wrap="nowrap" gap={0} mih={44}>
				{isBookmark ? (
					<b>{m.reader_page_number({ page: annotation.page })}</b>
				) : (
					<HighlightColors value={annotation.color} onChange={(color) => save({ ...annotation, note, color })} />
				)}
				<Group gap={0} mr={-8}>
					<IconButton
						label={isBookmark ? m.reader_bookmark_remove() : m.reader_highlight_remove()}
						icon={IconTrash}
						onClick={() => actions.remove(annotation.id)}
					/>
					<IconButton label={m.common_close()} icon={IconX} onClick={saveAndClose} />
				</Group>
			</Group>
			{annotation.quote !== '' && <blockquote className={classes.quote}>{annotation.quote}</blockquote>}
			<Textarea
				ref={field}
				label={m.reader_note()}
				rows={3}
				maxLength={limits.annotationNoteMaxLength}
				value={note}
				onChange={(event) => setNote(event.currentTarget.value)}
			/>
			<Button variant="primary" onClick={saveAndClose}>
				{m.reader_note_save()}
			</Button>
		</section>
	);
}
