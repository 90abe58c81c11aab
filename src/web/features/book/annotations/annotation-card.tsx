import { IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { useReturnFocus } from '#web/ui/hooks/focus.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './annotations.module.css';
import { HighlightColors } from './highlight-colors.tsx';

interface AnnotationCardProps {
	annotation: Annotation;
	onSave: (mark: Annotation) => void;
	onDelete: () => void;
	onClose: () => void;
}

/** One annotation: its colour and note. Closing the card saves the typed note. */
export function AnnotationCard({ annotation: mark, onSave, onDelete: onRemove, onClose }: AnnotationCardProps) {
	const [note, setNote] = useState(mark.note);
	const field = useRef<HTMLTextAreaElement>(null);
	const card = useRef<HTMLElement>(null);
	const id = useId();
	useReturnFocus();
	useEffect(() => field.current?.focus(), []);
	const saveAndClose = () => {
		if (note.trim() !== mark.note) onSave({ ...mark, note });
		onClose();
	};
	const isBookmark = mark.kind === 'bookmark';
	return (
		<section
			ref={card}
			className={classes.card}
			role="dialog"
			aria-label={isBookmark ? m.reader_bookmark() : m.reader_highlight()}
			onKeyDown={(event) => {
				if (event.key === 'Escape') saveAndClose();
			}}
		>
			<header className={classes.cardHead}>
				{isBookmark ? (
					<b>{m.reader_page_number({ page: mark.page })}</b>
				) : (
					<HighlightColors value={mark.color} onChange={(color) => onSave({ ...mark, note, color })} />
				)}
				<span className={classes.cardActions}>
					<IconButton
						label={isBookmark ? m.reader_bookmark_remove() : m.reader_highlight_remove()}
						icon={<IconTrash {...iconProps} />}
						onClick={onRemove}
					/>
					<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={saveAndClose} />
				</span>
			</header>
			{mark.quote !== '' && <blockquote className={classes.quote}>{mark.quote}</blockquote>}
			<label htmlFor={id} className={classes.label}>
				{m.reader_note()}
			</label>
			<textarea
				id={id}
				ref={field}
				className={classes.note}
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
