import { Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { MailSetup, TestMail } from './mail-setup.tsx';

export function MailRows({ children }: { children: ReactNode }) {
	return (
		<Stack gap={16} maw={560} mt={12} style={{ overflowWrap: 'anywhere' }}>
			{children}
		</Stack>
	);
}

export function MailStatus() {
	const status = useQuery(api.mail.status.queryOptions());
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
				{status.data?.transport === 'file' && <MailSetup />}
				<TestMail />
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
				<Fact label={m.mail_page_sender()} value={status.sender} />
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
