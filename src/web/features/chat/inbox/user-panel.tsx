import { Box, Group, Stack } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { CourseSummary, MemberCard } from '#contract/chat/member-card.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount, formatDate, formatRecent, formatStorage } from '#web/platform/formats/format.ts';
import factsClasses from '#web/ui/data/facts.module.css';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { ActiveBadge } from '#web/ui/primitives/badge.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';

interface UserPanelProps {
	card: MemberCard;
	orders: ReactNode;
	bookAccess: ReactNode;
	editions: readonly string[];
}

export function UserPanel({ card, orders, bookAccess, editions }: UserPanelProps) {
	const { person: user, memberSince, course } = card;
	const hasCompleteOrder = card.orders.some(({ status }) => status === 'Complete');
	return (
		<div style={{ overflowWrap: 'anywhere' }}>
			<Group gap={12} pb={20} wrap="nowrap">
				<Avatar name={user.name} email={user.email} />
				<div>
					<Box component="p" fz="lg" fw={600} lh={1.3}>
						<bdi>{user.name ?? user.email}</bdi>
					</Box>
					<p className={textClasses.note}>{m.chat_user_since({ date: formatDate(memberSince) })}</p>
				</div>
			</Group>
			<PanelSection title={card.orders.length === 1 ? m.chat_user_order() : m.chat_user_orders()}>
				{orders}
			</PanelSection>
			<PanelSection title={m.chat_user_reading()}>
				<Box component="p" fz="var(--text-13)">
					{accessText(card)}
				</Box>
				{card.book.access === 'open' && user.active && (
					<p className={textClasses.note}>{editions.length === 0 ? m.chat_user_no_editions() : editions.join(' · ')}</p>
				)}
				{!hasCompleteOrder && bookAccess}
				{course.begun > 0 && <Course course={course} />}
			</PanelSection>
			<PanelSection title={m.chat_user_account()}>
				<Account person={user} />
			</PanelSection>
		</div>
	);
}

function PanelSection({ title, children }: { title: string; children: ReactNode }) {
	const titleId = useId();
	return (
		<Stack
			component="section"
			gap={10}
			py={18}
			style={{ borderTop: '1px solid var(--line)' }}
			aria-labelledby={titleId}
		>
			<Box component="h3" id={titleId} fz="var(--text-14)" fw={600}>
				{title}
			</Box>
			{children}
		</Stack>
	);
}

function accessText({ person: user, book: { access } }: MemberCard): string {
	if (!user.active) return m.chat_user_access_deactivated();
	if (user.role === 'admin') return m.chat_user_access_admin();
	if (access === 'open') return m.chat_user_access_open();
	return access === 'pending' ? m.chat_user_access_pending() : m.chat_user_access_none();
}

function Course({ course: { begun, done, last } }: { course: CourseSummary }) {
	const lessons = m.chat_user_lessons({ done: formatCount(done), begun: formatCount(begun) });
	if (last === null) return <p className={textClasses.note}>{lessons}</p>;
	const share = last.isDone ? 1 : last.total === 0 ? 0 : Math.min(last.position / last.total, 1);
	const when = m.chat_user_last_lesson({ when: formatRecent(last.at) });
	return (
		<Stack gap={6} fz="var(--text-13)">
			<p dir="auto">{last.name}</p>
			<ProgressBar label={last.name} value={share} />
			<p className={textClasses.note}>
				{Math.round(share * 100)}% · {when}
			</p>
			<p className={textClasses.note}>{lessons}</p>
		</Stack>
	);
}

function Account({ person: user }: { person: UserSummary }) {
	const { active, loginCount, lastLoginAt, fileCount, sizeBytes, email } = user;
	const signIns =
		lastLoginAt === null
			? m.chat_user_never()
			: m.chat_user_sign_ins_last({ count: formatCount(loginCount), when: formatRecent(lastLoginAt) });
	const files = fileCount === 0 ? '0' : `${formatCount(fileCount)}, ${formatStorage(sizeBytes)}`;
	const facts = [
		{ label: m.chat_user_status(), value: <ActiveBadge isActive={active} /> },
		{ label: m.chat_user_sign_ins(), value: signIns },
		{ label: m.chat_user_files(), value: files },
	];
	return (
		<>
			<dl className={factsClasses.facts}>
				{facts.map(({ label, value }) => (
					<div key={label} style={{ alignItems: 'center' }}>
						<dt>{label}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			<ButtonLink to="/user/$email" params={{ email }} isFullWidth>
				{m.users_manage_files()}
			</ButtonLink>
			{active && <SendLogin user={user} />}
		</>
	);
}

function SendLogin({ user: { id, email } }: { user: UserSummary }) {
	const [isConfirming, setConfirming] = useState(false);
	const queryClient = useQueryClient();
	const send = useChange(client.chatPerson.sendLogin, {
		onSuccess: async () => {
			const status = await queryClient.fetchQuery(api.mail.status.queryOptions()).catch(() => undefined);
			const isSavedToFile = status?.transport === 'file';
			toastSuccess(isSavedToFile ? m.chat_user_login_saved_as_file({ email }) : m.chat_user_login_sent({ email }));
		},
	});
	return (
		<>
			<Button isFullWidth icon={IconMailForward} onClick={() => setConfirming(true)}>
				{m.chat_user_send_login()}
			</Button>
			<ConfirmDialog
				isOpen={isConfirming}
				onClose={() => setConfirming(false)}
				onConfirm={() => send.mutate({ userId: id }, { onSettled: () => setConfirming(false) })}
				question={m.chat_user_send_login_question()}
				detail={<p>{m.chat_user_send_login_detail({ email })}</p>}
				confirmLabel={send.isPending ? m.chat_user_sending_login() : m.chat_user_send_login()}
				variant="primary"
				isBusy={send.isPending}
			/>
		</>
	);
}
