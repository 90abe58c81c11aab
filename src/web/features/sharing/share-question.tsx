import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NameList } from '#web/ui/name-list.tsx';
import classes from './share-question.module.css';
import type { SharedThing, ShareWork } from './use-share-work.ts';

/** What is asked before it is done: things to share, or one to take back and how it stands. */
export type ShareQuestion =
	| { kind: 'share'; things: readonly SharedThing[] }
	| { kind: 'unshare'; thing: SharedThing; from: ShareState['from'] };

interface ShareQuestionDialogProps {
	question: ShareQuestion;
	email: string;
	work: ShareWork;
	/** Hears what it was done to. */
	onDone?: (ids: string[]) => void;
	onClose: () => void;
}

/** Asks before something is shared or unshared: what, with whom, and what it covers. Mount it to open it. */
export function ShareQuestionDialog({ question, email, work, onDone, onClose }: ShareQuestionDialogProps) {
	const isShare = question.kind === 'share';
	const things = isShare ? question.things : [question.thing];
	async function confirm(): Promise<void> {
		const ids = isShare ? await work.share(things, email) : await work.unshare(question.thing, email);
		onDone?.(ids);
		onClose();
	}
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={isShare ? m.sharing_share_question({ email }) : m.sharing_unshare_question({ email })}
			width={440}
			foot={
				<>
					<Button onClick={onClose} data-autofocus={isShare ? undefined : true}>
						{m.common_cancel()}
					</Button>
					<Button
						variant={isShare ? 'primary' : 'danger'}
						disabled={work.busy !== undefined}
						data-autofocus={isShare || undefined}
						onClick={() => void confirm()}
					>
						{confirmLabel(question.kind, work)}
					</Button>
				</>
			}
		>
			<div className={classes.detail}>
				<NameList things={things} isPlain />
				<p className={classes.covers}>{isShare ? coversOf(things) : takesOf(question.thing, question.from)}</p>
			</div>
		</Dialog>
	);
}

function confirmLabel(kind: ShareQuestion['kind'], { busy }: ShareWork): string {
	if (kind === 'share') return busy === undefined ? m.sharing_share() : m.sharing_sharing();
	return busy === undefined ? m.sharing_unshare() : m.sharing_unsharing();
}

/** What sharing these lets somebody read. */
export function coversOf(things: readonly SharedThing[]): string {
	if (things.length > 1) return m.sharing_covers_many();
	return things[0]?.kind === 'folder' ? m.sharing_covers_folder() : m.sharing_covers_file();
}

function takesOf({ kind }: SharedThing, from: ShareState['from']): string {
	if (from === null) return kind === 'folder' ? m.sharing_takes_folder() : m.sharing_takes_file();
	const { name } = from;
	return kind === 'folder' ? m.sharing_takes_inherited_folder({ name }) : m.sharing_takes_inherited_file({ name });
}
