import { IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { ReadingMark } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { MarkColors } from './mark-colors.tsx';
import classes from './marks.module.css';

interface MarkCardProps {
	mark: ReadingMark;
	onSave: (mark: ReadingMark) => void;
	onRemove: () => void;
	onClose: () => void;
}

/** One mark: its colour, and what the reader says to it. Whatever was typed is kept when it is closed. */
export function MarkCard({ mark, onSave, onRemove, onClose }: MarkCardProps) {
	const [note, setNote] = useState(mark.note);
	const field = useRef<HTMLTextAreaElement>(null);
	const card = useRef<HTMLElement>(null);
	const id = useId();
	useFocusBack();
	useEffect(() => field.current?.focus(), []);
	const keep = () => {
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
				if (event.key === 'Escape') keep();
			}}
		>
			<header className={classes.cardHead}>
				{isBookmark ? (
					<b>{m.reader_page_number({ page: mark.page })}</b>
				) : (
					<MarkColors value={mark.color} onChange={(color) => onSave({ ...mark, note, color })} />
				)}
				<span className={classes.cardActions}>
					<IconButton
						label={isBookmark ? m.reader_bookmark_remove() : m.reader_highlight_remove()}
						icon={<IconTrash {...iconProps} />}
						onClick={onRemove}
					/>
					<IconButton label={m.common_close()} icon={<IconX {...iconProps} />} onClick={keep} />
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
				maxLength={limits.markNoteMaxLength}
				value={note}
				onChange={(event) => setNote(event.currentTarget.value)}
			/>
			<Button variant="primary" onClick={keep}>
				{m.reader_note_keep()}
			</Button>
		</section>
	);
}
