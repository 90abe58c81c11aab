import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NameList } from '#web/ui/name-list.tsx';
import classes from './share-dialog.module.css';
import { SharePeople } from './share-people.tsx';
import { coversOf, type ShareQuestion, ShareQuestionDialog } from './share-question.tsx';
import { ShareReaders } from './share-readers.tsx';
import { useReaders } from './sharing.api.ts';
import type { SharedThing, ShareWork } from './use-share-work.ts';

interface ShareDialogProps {
	/** Folders and files of one space. */
	things: readonly SharedThing[];
	/** Whose space they lie in: an address, or one of the reserved owners, which are not shared from. */
	owner: string;
	work: ShareWork;
	onClose: () => void;
}

/** Shares folders and files with people; for a single one, who can read it and why. Mount it to open it. */
export function ShareDialog({ things, owner, work, onClose }: ShareDialogProps) {
	const [asked, setAsked] = useState<{ email: string; question: ShareQuestion } | null>(null);
	const [only, ...others] = things;
	const known = useReaders(only?.id ?? '', others.length === 0);
	const readers = new Set(
		(known.data?.pages ?? []).flatMap(({ items }) => items.filter(({ canRead }) => canRead).map(({ email }) => email)),
	);
	if (only === undefined) return null;
	const isSingle = others.length === 0;
	const isShareable = !['guest', 'book'].includes(owner.toLowerCase());
	return (
		<>
			<Dialog
				isOpen
				onClose={onClose}
				title={
					isSingle
						? m.sharing_dialog_title({ name: only.name })
						: m.sharing_dialog_many({ count: formatCount(things.length) })
				}
				width={560}
				isDismissible={asked === null}
				foot={<Button onClick={onClose}>{m.common_close()}</Button>}
			>
				<div className={classes.parts}>
					{!isSingle && <NameList things={things} isPlain />}
					{isShareable && (
						<>
							<p className={classes.covers}>{coversOf(things)}</p>
							<SharePeople
								readers={readers}
								isBusy={work.busy !== undefined}
								onShare={(email) => void work.share(things, email)}
							/>
						</>
					)}
					{isSingle && (
						<ShareReaders
							thing={only}
							onUnshare={(email, from) => setAsked({ email, question: { kind: 'unshare', thing: only, from } })}
							onShare={(email) => void work.share([only], email)}
						/>
					)}
				</div>
			</Dialog>
			{asked !== null && (
				<ShareQuestionDialog {...asked} work={work} onDone={() => {}} onClose={() => setAsked(null)} />
			)}
		</>
	);
}
