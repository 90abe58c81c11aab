import { Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';

export function MailRows({ children }: { children: ReactNode }) {
	return (
		<Stack gap={16} maw={560} mt={12} style={{ overflowWrap: 'anywhere' }}>
			{children}
		</Stack>
	);
}

export function MailStatus() {
	const status = useQuery(api.mail.status.queryOptions());
	const test = useChange(client.mail.sendTest, { refetch: [api.mail.status.key()], onError: shownInForm });
	return (
		<Section title={m.mail_page_sending()}>
			<MailRows>
				{status.data !== undefined ? (
					<MailStatusFacts status={status.data} />
				) : status.isError ? (
					<FailedQuery text={m.mail_page_failed()} query={status} />
				) : (
					<Skeleton height="72px" />
				)}
				<div>
					<Button disabled={test.isPending} onClick={() => test.mutate(undefined)}>
						{test.isPending ? m.mail_page_testing() : m.mail_page_test()}
					</Button>
				</div>
				{test.data !== undefined && <TestResult {...test.data} />}
				{test.failure && (
					<Notice tone="negative">
						{m.mail_page_test_broken()} {test.failure.message}
					</Notice>
				)}
			</MailRows>
		</Section>
	);
}

function MailStatusFacts({ status }: { status: CallOutputs['mail']['status'] }) {
	return (
		<>
			<p>{status.transport === 'smtp' ? m.mail_page_by_smtp() : m.mail_page_by_file()}</p>
			<dl>
				<Fact label={m.mail_page_waiting()} value={formatCount(status.waiting)} />
				<Fact label={m.mail_page_not_sent()} value={formatCount(status.notSent)} />
				{status.lastError !== null && <Fact label={m.mail_page_last_error()} value={status.lastError} />}
			</dl>
		</>
	);
}

function Fact({ label, value }: { label: string; value: string }) {
	return (
		<Group gap="2px 16px" align="flex-start" py={6}>
			<Box component="dt" miw={120} c="dimmed">
				{label}
			</Box>
			<Box component="dd" fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
				{value}
			</Box>
		</Group>
	);
}

function TestResult({ to, result, error }: CallOutputs['mail']['sendTest']) {
	if (result === 'failed')
		return <Notice tone="negative">{m.mail_page_test_failed({ to, error: error ?? '' })}</Notice>;
	if (result === 'file') return <Notice tone="info">{m.mail_page_test_file({ to })}</Notice>;
	return <Notice tone="positive">{m.mail_page_test_sent({ to })}</Notice>;
}
