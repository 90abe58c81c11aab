import { Flex, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import type { Session } from '#contract/accounts/sessions.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatDateTime, formatDevice, formatRecent } from '#web/platform/formats/format.ts';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import classes from './session-list.module.css';
import { deviceIcons, type SessionOwner, useSessions } from './sessions-api.ts';

export function SessionList({ whose: owner }: { whose: SessionOwner }) {
	const sessions = useSessions(owner);
	const ending = useChange(
		({ id }: Session) =>
			owner === 'own' ? client.sessions.end({ id }) : client.sessions.endOf({ id: owner.id, sessionId: id }),
		{
			refetch: [api.sessions.key()],
			onSuccess: (_ended, { device }) => toastSuccess(m.sessions_ended({ device: formatDevice(device) })),
		},
	);
	const list = useRef<HTMLUListElement>(null);

	if (sessions.isPending) return <SkeletonLines label={m.sessions_loading()} count={2} height="56px" />;
	if (sessions.isError) return <FailedQuery text={m.sessions_failed()} query={sessions} />;
	const items = sessions.data.pages.flatMap((page) => page.items);
	if (items.length === 0) return <Note>{m.sessions_none()}</Note>;
	return (
		<>
			<ul ref={list} tabIndex={-1} aria-label={m.sessions_title()}>
				{items.map((session) => (
					<SessionRow
						key={session.id}
						session={session}
						isBusy={ending.isPending}
						// The focused button is removed with its row. The list is focused instead.
						onEnd={() => ending.mutate(session, { onSuccess: () => list.current?.focus() })}
					/>
				))}
			</ul>
			{items.length === 1 && items[0]?.isThis === true && <Note>{m.sessions_only_this()}</Note>}
			{sessions.hasNextPage && (
				<Button size="small" disabled={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>
					{m.sessions_more()}
				</Button>
			)}
		</>
	);
}

function Note({ children }: { children: string }) {
	return (
		<Text pt={8} c="dimmed">
			{children}
		</Text>
	);
}

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
	const { device, ip, isThis, signedInAt, lastSeenAt } = session;
	const label = formatDevice(device);
	const DeviceIcon = deviceIcons[device.kind];
	return (
		<Flex component="li" align="center" gap={12} className={classes.row}>
			<DeviceIcon {...iconProps} size={20} color="var(--muted)" />
			<Stack gap={2} flex={1} miw={0}>
				<Flex component="p" wrap="wrap" align="center" gap="4px 8px" fw={500}>
					{label}
					{isThis && <Badge tone="accent">{m.sessions_this()}</Badge>}
				</Flex>
				<p className={classes.facts}>
					<span>{ip}</span>
					<span>{m.sessions_signed_in({ when: formatRecent(signedInAt, formatDateTime) })}</span>
					<span>
						{isThis ? m.sessions_seen_now() : m.sessions_seen({ when: formatRecent(lastSeenAt, formatDateTime) })}
					</span>
				</p>
			</Stack>
			{!isThis && (
				<Button size="small" aria-label={m.sessions_end_of({ device: label, ip })} disabled={isBusy} onClick={onEnd}>
					{m.sessions_end()}
				</Button>
			)}
		</Flex>
	);
}
