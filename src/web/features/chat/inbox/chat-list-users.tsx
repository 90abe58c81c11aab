import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { m } from '#messages';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { type ChatUserFound, chatsAddress } from '../chat-api.ts';
import classes from './chat-list-users.module.css';

interface ChatListUsersProps {
	users: readonly ChatUserFound[];
	/** Email of the user whose conversation is open. */
	chosen: string;
	q: string;
}

/** Members below the search results who match the search and have no conversation yet. */
export function ChatListUsers({ users, chosen, q }: ChatListUsersProps) {
	const headingId = useId();
	return (
		<section aria-labelledby={headingId}>
			<h3 id={headingId} className={classes.heading}>
				{m.chat_list_users()}
			</h3>
			<ul>
				{users.map(({ id, name, email }) => (
					<li key={id}>
						<Link
							to="."
							search={chatsAddress({ person: email, q })}
							className={classes.user}
							aria-current={email.toLowerCase() === chosen.toLowerCase() ? 'true' : undefined}
						>
							<Avatar name={name} email={email} />
							<span className={classes.text}>
								<bdi className={classes.name}>{name ?? email}</bdi>
								{name !== null && <span className={classes.email}>{email}</span>}
							</span>
						</Link>
					</li>
				))}
			</ul>
		</section>
	);
}
