import { IconBook, IconBookOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { UserBookAccess } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import type { Overlays } from '#web/ui/overlays/overlays-on-demand.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';

/** `change`: whether an admin can give or revoke the user's access; undefined for neither, or while loading. */
function useBookAccess({ id, role }: Pick<UserSummary, 'id' | 'role'>) {
	const query = useQuery(api.bookGrants.get.queryOptions({ input: { id }, enabled: role !== 'admin' }));
	return {
		change: query.data && findBookAccessChange(query.data, role),
		isPending: query.isPending,
		isError: query.data === undefined && query.isError,
	};
}

export type BookAccessChange = 'give' | 'take';

/** Returns undefined for admins, and for users who have access by a complete order and have no grant to revoke. */
export function findBookAccessChange(
	{ access, grant }: UserBookAccess,
	role: 'user' | 'admin',
): BookAccessChange | undefined {
	if (role === 'admin') return undefined;
	if (grant !== null) return 'take';
	return access === 'open' ? undefined : 'give';
}

const labels = { give: m.book_access_give, take: m.book_access_revoke };

interface BookAccessMenuItemProps extends Pick<Overlays, 'Menu'> {
	user: UserSummary;
	onAsk: (user: UserSummary, change: BookAccessChange) => void;
}

export function BookAccessMenuItem({ Menu, user, onAsk }: BookAccessMenuItemProps) {
	const { change, isError, isPending } = useBookAccess(user);
	if (change === undefined) {
		// While loading, a disabled item keeps the space. After a complete order there is rarely a grant to revoke, so the
		// item is omitted.
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

export function BookAccessButton({ person: user }: { person: UserSummary }) {
	const { change, isError } = useBookAccess(user);
	const [requestedChange, setRequested] = useState<BookAccessChange>();
	const Icon = change === 'take' ? IconBookOff : IconBook;
	return (
		<>
			{change !== undefined && (
				<Button isFullWidth icon={Icon} onClick={() => setRequested(change)}>
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

export function BookAccessDialog({ user: { id, email, order }, change, onClose }: BookAccessDialogProps) {
	const isGranted = change === 'give';
	const saveAccess = useChange(client.bookGrants.set, {
		refetch: [api.bookGrants.key(), api.chatPerson.key()],
		onSuccess: ({ access }) => {
			if (isGranted) toastSuccess(m.book_access_given({ email }));
			else if (access === 'open') toastSuccess(m.book_access_revoked_ordered({ email }));
			else toastSuccess(m.book_access_revoked({ email }));
		},
	});
	const revokedText = order === 'complete' ? m.book_access_revoke_ordered() : m.book_access_revoke_detail();
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => saveAccess.mutate({ id, isGranted }, { onSettled: onClose })}
			question={isGranted ? m.book_access_give_question({ email }) : m.book_access_revoke_question({ email })}
			detail={<p>{isGranted ? m.book_access_give_detail() : revokedText}</p>}
			confirmLabel={saveAccess.isPending ? m.book_access_saving() : labels[change]()}
			variant={isGranted ? 'primary' : 'danger'}
			isBusy={saveAccess.isPending}
		/>
	);
}
