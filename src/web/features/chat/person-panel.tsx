import { IconMailForward } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { ChatPersonCard, CourseSummary } from '#contract/chat/chat-person.ts';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { formatCount, formatDate, formatSize, formatTime, isToday } from '#web/platform/format.ts';
import { ActiveBadge } from '#web/ui/active-badge.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useSendLogin } from './chat-person.api.ts';
import classes from './person-panel.module.css';

interface PersonPanelProps {
	card: ChatPersonCard;
	/** Their orders, as the desk's own part draws them. */
	orders: ReactNode;
	/** Gives the book without an order, or takes it back. */
	grant: ReactNode;
	/** What they may read, in words. */
	editions: readonly string[];
}

/** Who a conversation is with: what they ordered, what they may read and have done, and their account. */
export function PersonPanel({ card, orders, grant, editions }: PersonPanelProps) {
	const { person, memberSince, course } = card;
	const hasCompleteOrder = card.orders.some(({ status }) => status === 'Complete');
	return (
		<div className={classes.panel}>
			<div className={classes.who}>
				<Avatar name={person.name} email={person.email} />
				<div className={classes.names}>
					<p className={classes.name}>
						<bdi>{person.name ?? person.email}</bdi>
					</p>
					<p className={classes.since}>{m.chat_person_since({ date: formatDate(memberSince) })}</p>
				</div>
			</div>
			<Part title={card.orders.length === 1 ? m.chat_person_order() : m.chat_person_orders()}>{orders}</Part>
			<Part title={m.chat_person_reading()}>
				<p className={classes.access}>{accessWords(card)}</p>
				{card.book.access === 'open' && person.active && (
					<p className={classes.muted}>{editions.length === 0 ? m.chat_person_no_editions() : editions.join(' · ')}</p>
				)}
				{!hasCompleteOrder && grant}
				{course.begun > 0 && <Course course={course} />}
			</Part>
			<Part title={m.chat_person_account()}>
				<Account person={person} />
			</Part>
		</div>
	);
}

function Part({ title, children }: { title: string; children: ReactNode }) {
	const titleId = useId();
	return (
		<section className={classes.part} aria-labelledby={titleId}>
			<h3 id={titleId} className={classes.title}>
				{title}
			</h3>
			{children}
		</section>
	);
}

function accessWords({ person, book: { access } }: ChatPersonCard): string {
	if (!person.active) return m.chat_person_access_deactivated();
	if (person.role === 'admin') return m.chat_person_access_admin();
	const words = {
		open: m.chat_person_access_open,
		pending: m.chat_person_access_pending,
		none: m.chat_person_access_none,
	};
	return words[access]();
}

function Course({ course: { begun, done, last } }: { course: CourseSummary }) {
	const lessons = m.chat_person_lessons({ done: formatCount(done), begun: formatCount(begun) });
	if (last === null) return <p className={classes.muted}>{lessons}</p>;
	const share = last.isDone ? 1 : last.total === 0 ? 0 : Math.min(last.position / last.total, 1);
	const when = m.chat_person_last_lesson({ when: momentWords(last.at) });
	return (
		<div className={classes.course}>
			<p dir="auto">{last.name}</p>
			<ProgressBar label={last.name} value={share} />
			<p className={classes.muted}>
				{Math.round(share * 100)}% · {when}
			</p>
			<p className={classes.muted}>{lessons}</p>
		</div>
	);
}

function Account({ person }: { person: Person }) {
	const { active, loginCount, lastLoginAt, fileCount, sizeBytes, email } = person;
	const facts = [
		{
			label: m.chat_person_status(),
			value: <ActiveBadge isActive={active} />,
		},
		{
			label: m.chat_person_sign_ins(),
			value:
				lastLoginAt === null
					? m.chat_person_never()
					: m.chat_person_sign_ins_last({ count: formatCount(loginCount), when: momentWords(lastLoginAt) }),
		},
		{
			label: m.chat_person_files(),
			value: fileCount === 0 ? '0' : `${formatCount(fileCount)}, ${formatSize(sizeBytes)}`,
		},
	];
	return (
		<>
			<dl className={classes.facts}>
				{facts.map(({ label, value }) => (
					<div key={label}>
						<dt>{label}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			<ButtonLink to="/user/$email" params={{ email }} isFullWidth>
				{m.people_manage_files()}
			</ButtonLink>
			{active && <SendLogin person={person} />}
		</>
	);
}

function SendLogin({ person: { id, email } }: { person: Person }) {
	const [isAsked, setAsked] = useState(false);
	const send = useSendLogin();
	return (
		<>
			<Button isFullWidth icon={<IconMailForward {...iconProps} />} onClick={() => setAsked(true)}>
				{m.chat_person_send_login()}
			</Button>
			<Dialog
				isOpen={isAsked}
				onClose={() => setAsked(false)}
				title={m.chat_person_send_login_question()}
				foot={
					<>
						<Button onClick={() => setAsked(false)} data-autofocus>
							{m.common_cancel()}
						</Button>
						<Button
							variant="primary"
							disabled={send.isPending}
							onClick={() => send.mutate({ userId: id }, { onSettled: () => setAsked(false) })}
						>
							{send.isPending ? m.chat_person_sending_login() : m.chat_person_send_login()}
						</Button>
					</>
				}
			>
				<p>{m.chat_person_send_login_detail({ email })}</p>
			</Dialog>
		</>
	);
}

/** `today 8:02 am`, or the day. */
function momentWords(at: string): string {
	return isToday(at) ? m.people_today({ time: formatTime(at) }) : formatDate(at);
}
