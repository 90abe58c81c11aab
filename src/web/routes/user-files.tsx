import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { FileManager } from '#web/features/files/file-manager.tsx';
import { type FilePlace, parseFilePlace, searchOfPlace } from '#web/features/files/file-place.ts';
import { RefusalsDialog } from '#web/features/files/refusals-dialog.tsx';
import { TrashView } from '#web/features/files/trash-view.tsx';
import { useRememberedView } from '#web/features/files/use-remembered-view.ts';
import { ShareDialog } from '#web/features/sharing/share-dialog.tsx';
import { ShareMark } from '#web/features/sharing/share-mark.tsx';
import { useShareWork } from '#web/features/sharing/use-share-work.ts';
import { type PickedFiles, sendPicked } from '#web/features/uploads/uploads.ts';

/** /user/{email}: the file manager of one person's space, or of the reserved spaces `guest` and `book`; `?trash`: its trash. */
export function UserFilesScreen() {
	const { email = '' } = useParams({ strict: false });
	const search: Record<string, unknown> = useLocation().search;
	const [view, rememberView] = useRememberedView();
	const place = useMemo(() => parseFilePlace(search, view), [search, view]);
	const navigate = useNavigate();
	const [shared, setShared] = useState<Node[] | null>(null);
	const shareWork = useShareWork();
	const goTo = useCallback(
		(to: FilePlace) => {
			if (to.view !== place.view) rememberView(to.view);
			void navigate({ to: '.', search: searchOfPlace(to), replace: to.path === place.path });
		},
		[navigate, place.path, place.view, rememberView],
	);
	const upload = useCallback(
		(picked: PickedFiles, path: string) => sendPicked(picked, { owner: email, path }),
		[email],
	);
	const searchTrash = useCallback(
		(q: string) => void navigate({ to: '.', search: { trash: '', ...(q !== '' && { q }) }, replace: true }),
		[navigate],
	);
	if ('trash' in search) return <TrashView key={email} owner={email} q={place.q} onSearch={searchTrash} />;
	return (
		<>
			<FileManager
				key={email}
				owner={email}
				place={place}
				onPlace={goTo}
				onUpload={upload}
				onShare={setShared}
				mark={markOf}
			/>
			{shared !== null && (
				<ShareDialog things={shared} owner={email} work={shareWork} onClose={() => setShared(null)} />
			)}
			<RefusalsDialog refusals={shareWork.refusals} onClose={shareWork.dismissRefusals} />
		</>
	);
}

function markOf({ id }: Node) {
	return <ShareMark id={id} />;
}
