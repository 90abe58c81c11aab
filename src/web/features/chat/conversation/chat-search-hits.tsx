import { Box, Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './conversation.module.css';

interface ChatSearchHitsProps {
	userId: string;
	q: string;
	/** Sequence number of the selected match; 0 for none. */
	at: number;
	onSelect: (sequence: number) => void;
}

/** Buttons for the next and previous match. Renders nothing without matches. */
export function ChatSearchHits({ userId, q, at, onSelect }: ChatSearchHitsProps) {
	const search = q.trim();
	const options = { input: { userId, search }, enabled: search !== '', placeholderData: keepPreviousData };
	const hits = useQuery(api.chat.hits.queryOptions(options)).data;
	if (search === '' || hits === undefined || hits.sequences.length === 0) return null;
	const { sequences } = hits;
	const count = `${sequences.length}${hits.isMore ? '+' : ''}`;
	const position = sequences.indexOf(at);
	// Sequences are sorted from newest to oldest. From the oldest match, the button for older matches leads to the newest
	// match, and vice versa.
	const older = sequences.find((sequence) => sequence < at) ?? sequences[0];
	const newer = sequences.findLast((sequence) => sequence > at) ?? sequences.at(-1);
	return (
		<Group
			gap={4}
			justify="flex-end"
			className={classes.hits}
			role="group"
			aria-label={m.chat_hits_of({ text: search })}
		>
			<Box component="span" mr={4} className={textClasses.smallFigure} role="status">
				{position < 0 ? m.chat_hits_count({ count }) : m.chat_hits_position({ place: position + 1, count })}
			</Box>
			<IconButton
				size="small"
				label={m.chat_hit_older()}
				icon={IconChevronUp}
				onClick={() => older !== undefined && onSelect(older)}
			/>
			<IconButton
				size="small"
				label={m.chat_hit_newer()}
				icon={IconChevronDown}
				onClick={() => newer !== undefined && onSelect(newer)}
			/>
		</Group>
	);
}
