import { Menu } from '@mantine/core';
import { IconBook, IconBookOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { type BookGrantStep, findBookGrantStep } from './book-grant-step.ts';
import { useBookGrant, useSetBookGrant } from './book-grants.api.ts';

const labels = { give: m.reader_grant_give, take: m.reader_grant_take };

interface BookGrantItemProps {
	person: Person;
	onAsk: (person: Person, step: BookGrantStep) => void;
}

/** 'Give the book' or 'Take the book back' in the menu of a person, which asks for the state when it opens. */
export function BookGrantItem({ person, onAsk }: BookGrantItemProps) {
	// An admin reads by the role: nothing to ask for.
	return person.role === 'admin' ? null : <MemberItem person={person} onAsk={onAsk} />;
}

function MemberItem({ person, onAsk }: BookGrantItemProps) {
	const grant = useBookGrant(person.id);
	if (grant.data === undefined) {
		// The item keeps its place while one waits, unless an order says that there will hardly be one.
		if (!grant.isError && person.order === 'complete') return null;
		return (
			<Menu.Item leftSection={<IconBook {...smallIconProps} />} disabled>
				{grant.isError ? m.reader_grant_unknown() : m.reader_grant_give()}
			</Menu.Item>
		);
	}
	const step = findBookGrantStep(grant.data, person.role);
	if (step === undefined) return null;
	const Icon = step === 'give' ? IconBook : IconBookOff;
	return (
		<Menu.Item leftSection={<Icon {...smallIconProps} />} onClick={() => onAsk(person, step)}>
			{labels[step]()}
		</Menu.Item>
	);
}

/** The same as a button, for a member without an order that is Complete. */
export function BookGrantButton({ person }: { person: Person }) {
	const grant = useBookGrant(person.id);
	const [asked, setAsked] = useState<BookGrantStep>();
	const step = grant.data && findBookGrantStep(grant.data, person.role);
	const Icon = step === 'take' ? IconBookOff : IconBook;
	return (
		<>
			{step !== undefined && (
				<Button isFullWidth icon={<Icon {...iconProps} />} onClick={() => setAsked(step)}>
					{labels[step]()}
				</Button>
			)}
			{grant.data === undefined && grant.isError && <p role="status">{m.reader_grant_unknown()}</p>}
			{asked !== undefined && <BookGrantDialog person={person} step={asked} onClose={() => setAsked(undefined)} />}
		</>
	);
}

interface BookGrantDialogProps {
	person: Person;
	step: BookGrantStep;
	onClose: () => void;
}

/** Asks before the book is given or taken back. Mount it to open it. */
export function BookGrantDialog({ person: { id, email, order }, step, onClose }: BookGrantDialogProps) {
	const set = useSetBookGrant(email);
	const isGranted = step === 'give';
	const takenWords = order === 'complete' ? m.reader_grant_take_ordered() : m.reader_grant_take_detail();
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={isGranted ? m.reader_grant_give_question({ email }) : m.reader_grant_take_question({ email })}
			foot={
				<>
					<Button onClick={onClose} data-autofocus>
						{m.common_cancel()}
					</Button>
					<Button
						variant={isGranted ? 'primary' : 'danger'}
						disabled={set.isPending}
						onClick={() => set.mutate({ id, isGranted }, { onSettled: onClose })}
					>
						{set.isPending ? m.reader_grant_changing() : labels[step]()}
					</Button>
				</>
			}
		>
			<p>{isGranted ? m.reader_grant_give_detail() : takenWords}</p>
		</Dialog>
	);
}
