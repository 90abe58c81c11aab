import { Menu } from '@mantine/core';
import { IconBook, IconBookOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { type BookAccessChange, useBookAccess, useSetBookAccess } from './book-access-api.ts';

const labels = { give: m.book_access_give, take: m.book_access_revoke };

interface BookAccessMenuItemProps {
	user: UserSummary;
	onAsk: (user: UserSummary, change: BookAccessChange) => void;
}

/** Menu item that gives a user the book or takes it back; loads the current state when the menu opens. */
export function BookAccessMenuItem({ user, onAsk }: BookAccessMenuItemProps) {
	const { change, isError, isPending } = useBookAccess(user);
	if (change === undefined) {
		// Keeps space for the item while loading, except for a complete order, where it is rarely shown.
		if (!isError && !(isPending && user.role !== 'admin' && user.order !== 'complete')) return null;
		return (
			<Menu.Item leftSection={<IconBook {...smallIconProps} />} disabled>
				{isError ? m.book_access_load_failed() : m.book_access_give()}
			</Menu.Item>
		);
	}
	const Icon = change === 'give' ? IconBook : IconBookOff;
	return (
		<Menu.Item leftSection={<Icon {...smallIconProps} />} onClick={() => onAsk(user, change)}>
			{labels[change]()}
		</Menu.Item>
	);
}

/** The same action as a button, for a member without a complete order. */
export function BookAccessButton({ person: user }: { person: UserSummary }) {
	const { change, isError } = useBookAccess(user);
	const [requestedChange, setRequested] = useState<BookAccessChange>();
	const Icon = change === 'take' ? IconBookOff : IconBook;
	return (
		<>
			{change !== undefined && (
				<Button isFullWidth icon={<Icon {...iconProps} />} onClick={() => setRequested(change)}>
					{labels[change]()}
				</Button>
			)}
			{isError && <p role="status">{m.book_access_load_failed()}</p>}
			{requestedChange !== undefined && (
				<BookAccessDialog user={user} change={requestedChange} onClose={() => setRequested(undefined)} />
			)}
		</>
	);
}

interface BookAccessDialogProps {
	user: UserSummary;
	change: BookAccessChange;
	onClose: () => void;
}

/** Asks for confirmation before the book is given or taken back. Mount it to open it. */
export function BookAccessDialog({ user: { id, email, order }, change, onClose }: BookAccessDialogProps) {
	const set = useSetBookAccess(email);
	const isGranted = change === 'give';
	const revokedText = order === 'complete' ? m.book_access_revoke_ordered() : m.book_access_revoke_detail();
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={isGranted ? m.book_access_give_question({ email }) : m.book_access_revoke_question({ email })}
			footer={
				<>
					<Button onClick={onClose} data-autofocus>
						{m.common_cancel()}
					</Button>
					<Button
						variant={isGranted ? 'primary' : 'danger'}
						disabled={set.isPending}
						onClick={() => set.mutate({ id, isGranted }, { onSettled: onClose })}
					>
						{set.isPending ? m.book_access_saving() : labels[change]()}
					</Button>
				</>
			}
		>
			<p>{isGranted ? m.book_access_give_detail() : revokedText}</p>
		</Dialog>
	);
}
