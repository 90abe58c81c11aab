import { Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { m } from '#messages';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { useChatSearchHits } from '../chat-api.ts';
import classes from './conversation.module.css';

interface ChatSearchHitsProps {
	userId: string;
	q: string;
	/** Sequence number of the current match; 0 before one is selected. */
	at: number;
	onSelect: (sequence: number) => void;
}

/** Shows which match of the search is selected in a conversation, with buttons for others; nothing without a match. */
export function ChatSearchHits({ userId, q, at, onSelect }: ChatSearchHitsProps) {
	const hits = useChatSearchHits(userId, q).data;
	if (q.trim() === '' || hits === undefined || hits.sequences.length === 0) return null;
	const { sequences } = hits;
	const count = `${sequences.length}${hits.isMore ? '+' : ''}`;
	const position = sequences.indexOf(at);
	// The newest match comes first; from another message, the nearest match in that direction.
	const older = sequences.find((sequence) => sequence < at) ?? sequences[0];
	const newer = sequences.findLast((sequence) => sequence > at) ?? sequences.at(-1);
	return (
		<Group
			gap={4}
			justify="flex-end"
			className={classes.hits}
			role="group"
			aria-label={m.chat_hits_of({ text: q.trim() })}
		>
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
		</Group>
	);
}
