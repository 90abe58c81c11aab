import { Box, Center, Flex, Text } from '@mantine/core';
import { type Icon, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type GroupRef, isComputedGroup } from '#contract/accounts/groups.ts';
import { m } from '#messages';
import { Avatar } from '../primitives/avatar.tsx';
import { iconProps } from '../primitives/icon.ts';
import classes from './user-rows.module.css';

type Notes = ReadonlyArray<string | false>;

interface UserRowProps {
	name: string | null;
	email: string;
	isMuted?: boolean;
	notes: Notes;
	children?: ReactNode;
}

/** An item of a list of users and groups. `children`: its actions. */
export function UserRow({ name, email, isMuted = false, notes, children }: UserRowProps) {
	return (
		<Row lead={<Avatar name={name} email={email} size={32} isMuted={isMuted} />} title={name ?? email} notes={notes}>
			{children}
		</Row>
	);
}

export function GroupRow({ group, notes, children }: { group: GroupRef; notes: Notes; children?: ReactNode }) {
	return (
		<IconRow icon={IconUsersGroup} title={groupName(group)} notes={notes}>
			{children}
		</IconRow>
	);
}

interface IconRowProps {
	icon: Icon;
	title: string;
	notes?: Notes;
	children?: ReactNode;
}

export function IconRow({ icon: RowIcon, ...row }: IconRowProps) {
	const lead = (
		<Center component="span" flex="none" w={32} h={32} bg="var(--hover)" bdrs="50%" c="dimmed">
			<RowIcon {...iconProps} />
		</Center>
	);
	return <Row lead={lead} {...row} />;
}

function Row({ lead, title, notes = [], children }: Omit<IconRowProps, 'icon'> & { lead: ReactNode }) {
	const note = notes.filter((text) => text !== false && text !== '').join(' · ');
	return (
		<Flex component="li" wrap="wrap" align="center" gap="4px 12px" mih={52} className={classes.row}>
			{lead}
			<Box component="span" flex="1 1 160px" miw={0} style={{ overflowWrap: 'anywhere' }}>
				<Text component="bdi" display="block" fw={500}>
					{title}
				</Text>
				{note !== '' && (
					<Text span display="block" c="dimmed" fz={13} textWrap="pretty">
						{note}
					</Text>
				)}
			</Box>
			{children}
		</Flex>
	);
}

export function groupName({ id, name }: GroupRef): string {
	if (!isComputedGroup(id)) return name;
	return id === 'all-members' ? m.group_all_members() : m.group_book_owners();
}

/** What a computed group contains; '' for a named group. */
export function groupNote(id: string): string {
	if (!isComputedGroup(id)) return '';
	return id === 'all-members' ? m.group_all_members_note() : m.group_book_owners_note();
}
