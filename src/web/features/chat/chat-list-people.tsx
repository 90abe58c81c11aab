import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { m } from '#messages';
import { Avatar } from '#web/ui/avatar.tsx';
import { type ChatPersonFound, chatsAddress } from './chat.api.ts';
import classes from './chat-list-people.module.css';

interface ChatListPeopleProps {
	people: readonly ChatPersonFound[];
	/** Address of whose conversation is open. */
	chosen: string;
	q: string;
}

/** Below what was found among the conversations: those whom the search names, and with whom there is none yet. */
export function ChatListPeople({ people, chosen, q }: ChatListPeopleProps) {
	const headingId = useId();
	return (
		<section aria-labelledby={headingId}>
			<h3 id={headingId} className={classes.heading}>
				{m.chat_list_people()}
			</h3>
			<ul>
				{people.map(({ id, name, email }) => (
					<li key={id}>
						<Link
							to="."
							search={chatsAddress({ person: email, q })}
							className={classes.person}
							aria-current={email.toLowerCase() === chosen.toLowerCase() ? 'true' : undefined}
						>
							<Avatar name={name} email={email} />
							<span className={classes.words}>
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
