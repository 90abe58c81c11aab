import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { m } from '#messages';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { useChatSearchHits } from '../chat-api.ts';
import classes from './chat-search-hits.module.css';

interface ChatSearchHitsProps {
	userId: string;
	q: string;
	/** Where one is, by its sequence; 0 for nowhere yet. */
	at: number;
	onSelect: (sequence: number) => void;
}

/** Which of the places one is at where a conversation says what is looked for, and the ways to the next; none, nothing. */
export function ChatSearchHits({ userId, q, at, onSelect }: ChatSearchHitsProps) {
	const hits = useChatSearchHits(userId, q).data;
	if (q.trim() === '' || hits === undefined || hits.sequences.length === 0) return null;
	const { sequences } = hits;
	const count = `${sequences.length}${hits.isMore ? '+' : ''}`;
	const position = sequences.indexOf(at);
	// The newest comes first; from elsewhere, the nearest on that side.
	const older = sequences.find((sequence) => sequence < at) ?? sequences[0];
	const newer = sequences.findLast((sequence) => sequence > at) ?? sequences.at(-1);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset is no row.
		<div className={classes.hits} role="group" aria-label={m.chat_hits_of({ text: q.trim() })}>
			<span className={classes.position} role="status">
				{position < 0 ? m.chat_hits_count({ count }) : m.chat_hits_position({ place: position + 1, count })}
			</span>
			<IconButton
				size="small"
				label={m.chat_hit_older()}
				icon={<IconChevronUp {...iconProps} />}
				onClick={() => older !== undefined && onSelect(older)}
			/>
			<IconButton
				size="small"
				label={m.chat_hit_newer()}
				icon={<IconChevronDown {...iconProps} />}
				onClick={() => newer !== undefined && onSelect(newer)}
			/>
		</div>
	);
}
