import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { RefusedNodesDialog } from '#web/features/files/actions/refused-nodes-dialog.tsx';
import { type FileListQuery, listQuerySearchParams, parseListQuery } from '#web/features/files/file-list-query.ts';
import { FileManager } from '#web/features/files/manager/file-manager.tsx';
import { useRememberedView } from '#web/features/files/manager/file-toolbar.tsx';
import { TrashView } from '#web/features/files/trash/trash-view.tsx';
import type { PickedFiles } from '#web/features/files/upload-sources/picked-files.ts';
import { startUploads } from '#web/features/files/uploads/uploads-on-demand.tsx';
import { canShareFrom } from '#web/features/sharing/api.ts';
import { SharedBadge } from '#web/features/sharing/share-state-cell.tsx';
import { useShareActions } from '#web/features/sharing/use-share-actions.tsx';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';

const ShareDialog = dialogOnDemand(() => import('#web/features/sharing/dialog/share-dialog.tsx'), 'ShareDialog');

/** /user/{email}: the files of a user, or of the spaces `guest` and `book`. `?trash` shows the trash. */
export function UserFilesScreen() {
	const { email = '' } = useParams({ strict: false });
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const listQuery = parseListQuery(search, view);
	const navigate = useNavigate();
	const [shared, setShared] = useState<Node[] | null>(null);
	const shareActions = useShareActions();
	const goTo = (to: FileListQuery) => {
		if (to.view !== listQuery.view) rememberView(to.view);
		void navigate({ to: '.', search: listQuerySearchParams(to), replace: to.path === listQuery.path });
	};
	const upload = useCallback(
		(picked: PickedFiles, path: string) => startUploads(picked, { owner: email, path }),
		[email],
	);
	const searchTrash = (q: string) =>
		void navigate({ to: '.', search: { trash: '', ...(q !== '' && { q }) }, replace: true });
	if ('trash' in search) return <TrashView key={email} owner={email} q={listQuery.q} onSearch={searchTrash} />;
	return (
		<>
			<FileManager
				key={email}
				owner={email}
				listQuery={listQuery}
				onListQuery={goTo}
				onUpload={upload}
				onShare={canShareFrom(email) ? setShared : undefined}
				renderBadge={renderSharedBadge}
			/>
			{shared !== null && (
				<ShareDialog nodes={shared} owner={email} actions={shareActions} onClose={() => setShared(null)} />
			)}
			<RefusedNodesDialog refusals={shareActions.refusals} onClose={shareActions.dismissRefusals} />
		</>
	);
}

function renderSharedBadge({ id }: Node) {
	return <SharedBadge id={id} />;
}
