import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { m } from '#messages';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useChatHits } from './chat.api.ts';
import classes from './chat-hits.module.css';

interface ChatHitsProps {
	userId: string;
	q: string;
	/** Where one is, by its sequence; 0 for nowhere yet. */
	at: number;
	onGo: (sequence: number) => void;
}

/** Which of the places one is at where a conversation says what is looked for, and the ways to the next; none, nothing. */
export function ChatHits({ userId, q, at, onGo }: ChatHitsProps) {
	const hits = useChatHits(userId, q).data;
	if (q.trim() === '' || hits === undefined || hits.sequences.length === 0) return null;
	const { sequences } = hits;
	const count = `${sequences.length}${hits.isMore ? '+' : ''}`;
	const place = sequences.indexOf(at);
	// The newest comes first; from elsewhere, the nearest on that side.
	const older = sequences.find((sequence) => sequence < at) ?? sequences[0];
	const newer = sequences.findLast((sequence) => sequence > at) ?? sequences.at(-1);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset is no row.
		<div className={classes.hits} role="group" aria-label={m.chat_hits_of({ text: q.trim() })}>
			<span className={classes.place} role="status">
				{place < 0 ? m.chat_hits_count({ count }) : m.chat_hits_place({ place: place + 1, count })}
			</span>
			<IconButton
				size="small"
				label={m.chat_hit_older()}
				icon={<IconChevronUp {...iconProps} />}
				onClick={() => older !== undefined && onGo(older)}
			/>
			<IconButton
				size="small"
				label={m.chat_hit_newer()}
				icon={<IconChevronDown {...iconProps} />}
				onClick={() => newer !== undefined && onGo(newer)}
			/>
		</div>
	);
}
